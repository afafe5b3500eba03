// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

inline constexpr std::string_view p2p_of_later_releases = "later releases, IMB-P2P";

/// IMB-P2P, one row per benchmark; patterns of messages among all processes.
inline constexpr Definition p2p_benchmarks[] = {
    {.name = "PingPong",
     .kind = Class::pattern,
     .classification = "pairs",
     .pairs = true,
     .messages = 1,
     .time_divisor = 2,
     .source = p2p_of_later_releases},
    {.name = "PingPing",
     .kind = Class::pattern,
     .classification = "pairs",
     .pairs = true,
     .messages = 1,
     .source = p2p_of_later_releases},
    {.name = "Unirandom",
     .kind = Class::pattern,
     .classification = "random pairs",
     .random_pairs = true,
     .messages = 1,
     .source = p2p_of_later_releases},
    {.name = "Birandom",
     .kind = Class::pattern,
     .classification = "random pairs",
     .random_pairs = true,
     .messages = 2,
     .time_divisor = 2,
     .source = p2p_of_later_releases},
    {.name = "Corandom",
     .kind = Class::pattern,
     .classification = "random ring",
     .messages = 1,
     .source = p2p_of_later_releases},
    {.name = "Stencil2D",
     .kind = Class::pattern,
     .classification = "neighbours in a grid",
     .dimensions = 2,
     .send = Side::four,
     .receive = Side::four,
     .messages = 4,
     .time_divisor = 4,
     .source = p2p_of_later_releases},
    {.name = "Stencil3D",
     .kind = Class::pattern,
     .classification = "neighbours in a grid",
     .dimensions = 3,
     .send = Side::six,
     .receive = Side::six,
     .messages = 6,
     .time_divisor = 6,
     .source = p2p_of_later_releases},
    {.name = "SendRecv_Replace",
     .kind = Class::pattern,
     .classification = "ring",
     .send = Side::none,
     .messages = 1,
     .source = p2p_of_later_releases},
};

}  // namespace steelyard::imb
