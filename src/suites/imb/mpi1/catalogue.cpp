// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/definition.hpp"

namespace steelyard::imb {
namespace {

using enum Class;

constexpr std::string_view later = "later releases";

// One row per benchmark; its operation is in the file of the same name beside this one.
constexpr Definition benchmarks[] = {
    {.name = "PingPong",
     .kind = single_transfer,
     .messages = 1,
     .time_divisor = 2,
     .source = "001 section 3.3.2.1"},
    {.name = "PingPing", .kind = single_transfer, .messages = 1, .source = "001 section 3.3.2.2"},
    {.name = "Sendrecv", .kind = parallel_transfer, .messages = 2, .source = "001 section 3.3.3.1"},
    {.name = "Exchange",
     .kind = parallel_transfer,
     .send = Side::two,
     .messages = 4,
     .source = "001 section 3.3.3.2"},
    {.name = "Allreduce", .reduction = true, .source = "001 section 3.3.4.3"},
    {.name = "Reduce", .reduction = true, .rooted = true, .source = "001 section 3.3.4.1"},
    {.name = "Reduce_local", .in_seed = false, .reduction = true, .source = later},
    {.name = "Reduce_scatter",
     .reduction = true,
     .receive = Side::reduce_scatter_piece,
     .source = "001 section 3.3.4.2"},
    {.name = "Reduce_scatter_block",
     .in_seed = false,
     .reduction = true,
     .send = Side::per_rank,
     .source = later},
    {.name = "Allgather", .receive = Side::per_rank, .source = "001 section 3.3.4.4"},
    {.name = "Allgatherv", .receive = Side::per_rank, .source = "001 section 3.3.4.5"},
    {.name = "Gather", .rooted = true, .receive = Side::per_rank, .source = "001 section 3.3.4.8"},
    {.name = "Gatherv", .rooted = true, .receive = Side::per_rank, .source = "001 section 3.3.4.9"},
    {.name = "Scatter", .rooted = true, .send = Side::per_rank, .source = "001 section 3.3.4.6"},
    {.name = "Scatterv", .rooted = true, .send = Side::per_rank, .source = "001 section 3.3.4.7"},
    {.name = "Alltoall", .send = Side::per_rank, .receive = Side::per_rank, .source = "001 section 3.3.4.10"},
    {.name = "Alltoallv",
     .send = Side::per_rank,
     .receive = Side::per_rank,
     .source = "001 section 3.3.4.11"},
    {.name = "Bcast", .rooted = true, .source = "001 section 3.3.4.12"},
    {.name = "Barrier",
     .kind = sync,
     .send = Side::none,
     .receive = Side::none,
     .source = "001 section 3.3.4.13"},
    {.name = "PingPongSpecificSource",
     .kind = single_transfer,
     .in_seed = false,
     .in_2021 = false,
     .messages = 1,
     .time_divisor = 2,
     .source = later},
    {.name = "PingPongAnySource",
     .kind = single_transfer,
     .in_seed = false,
     .in_2021 = false,
     .messages = 1,
     .time_divisor = 2,
     .source = later},
    {.name = "PingPingSpecificSource",
     .kind = single_transfer,
     .in_seed = false,
     .in_2021 = false,
     .messages = 1,
     .source = later},
    {.name = "PingPingAnySource",
     .kind = single_transfer,
     .in_seed = false,
     .in_2021 = false,
     .messages = 1,
     .source = later},
    {.name = "Uniband",
     .kind = message_rate,
     .in_seed = false,
     .in_2021 = false,
     .receive = Side::window,
     .messages = 1,
     .source = later},
    {.name = "Biband",
     .kind = message_rate,
     .in_seed = false,
     .in_2021 = false,
     .receive = Side::window,
     .messages = 2,
     .source = later},
};

}  // namespace

std::span<const Definition> mpi1() {
  return benchmarks;
}

}  // namespace steelyard::imb
