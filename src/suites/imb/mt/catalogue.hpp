// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

[[nodiscard]] constexpr Definition of_threads(std::string_view classification, Definition row) {
  row.kind = Class::threads;
  row.classification = classification;
  row.source = "later releases, IMB-MT";
  return row;
}

/// IMB-MT, one row per benchmark: what threads of all processes do at the same time.
inline constexpr Definition mt_benchmarks[] = {
    of_threads("pairs of threads", {.name = "PingPongMT", .pairs = true, .messages = 1, .time_divisor = 2}),
    of_threads("pairs of threads", {.name = "PingPingMT", .pairs = true, .messages = 1}),
    of_threads("rings of threads", {.name = "SendRecvMT", .messages = 2}),
    of_threads("rings of threads", {.name = "ExchangeMT", .receive = Side::two, .messages = 4}),
    of_threads("message rate of threads", {.name = "UniBandMT",
                                           .pairs = true,
                                           .receive = Side::sections,
                                           .messages = 1,
                                           .table = Table::bands}),
    of_threads(
        "message rate of threads",
        {.name = "BiBandMT", .pairs = true, .receive = Side::sections, .messages = 2, .table = Table::bands}),
    of_threads("synchronisation of threads",
               {.name = "BarrierMT", .send = Side::none, .receive = Side::none, .table = Table::d}),
    of_threads("collective of threads", {.name = "BcastMT", .table = Table::c}),
    of_threads("collective of threads", {.name = "ReduceMT", .reduction = true, .table = Table::c}),
    of_threads("collective of threads", {.name = "AllReduceMT", .reduction = true, .table = Table::c}),
};

}  // namespace steelyard::imb
