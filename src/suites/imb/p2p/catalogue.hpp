// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

[[nodiscard]] constexpr Definition of_patterns(std::string_view classification, Definition row) {
  row.kind = Class::pattern;
  row.classification = classification;
  row.source = "later releases, IMB-P2P";
  return row;
}

/// IMB-P2P, one row per benchmark; patterns of messages among all processes.
inline constexpr Definition p2p_benchmarks[] = {
    of_patterns("pairs", {.name = "PingPong", .pairs = true, .messages = 1, .time_divisor = 2}),
    of_patterns("pairs", {.name = "PingPing", .pairs = true, .messages = 1}),
    of_patterns("random pairs", {.name = "Unirandom", .random_pairs = true, .messages = 1}),
    of_patterns("random pairs", {.name = "Birandom", .random_pairs = true, .messages = 2, .time_divisor = 2}),
    of_patterns("random ring", {.name = "Corandom", .messages = 1}),
    of_patterns("neighbours in a grid", {.name = "Stencil2D",
                                         .dimensions = 2,
                                         .send = Side::four,
                                         .receive = Side::four,
                                         .messages = 4,
                                         .time_divisor = 4}),
    of_patterns("neighbours in a grid", {.name = "Stencil3D",
                                         .dimensions = 3,
                                         .send = Side::six,
                                         .receive = Side::six,
                                         .messages = 6,
                                         .time_divisor = 6}),
    of_patterns("ring", {.name = "SendRecv_Replace", .send = Side::none, .messages = 1}),
};

}  // namespace steelyard::imb
