// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

/// Row of a benchmark of later releases that is in no default set.
[[nodiscard]] constexpr Definition of_later_releases(Definition row) {
  row.in_seed = row.in_2021 = false;
  row.source = "later releases";
  return row;
}

/// IMB-MPI1, one row per benchmark; its operation is in a file beside this one.
inline constexpr Definition mpi1_benchmarks[] = {
    {.name = "PingPong",
     .kind = Class::single_transfer,
     .messages = 1,
     .time_divisor = 2,
     .source = "IMB 3.1 User's Guide, 3.3.2.1"},
    {.name = "PingPing",
     .kind = Class::single_transfer,
     .messages = 1,
     .source = "IMB 3.1 User's Guide, 3.3.2.2"},
    {.name = "Sendrecv",
     .kind = Class::parallel_transfer,
     .messages = 2,
     .source = "IMB 3.1 User's Guide, 3.3.3.1"},
    {.name = "Exchange",
     .kind = Class::parallel_transfer,
     .send = Side::two,
     .messages = 4,
     .source = "IMB 3.1 User's Guide, 3.3.3.2"},
    {.name = "Allreduce", .reduction = true, .source = "IMB 3.1 User's Guide, 3.3.4.3"},
    {.name = "Reduce", .reduction = true, .rooted = true, .source = "IMB 3.1 User's Guide, 3.3.4.1"},
    {.name = "Reduce_local", .in_seed = false, .reduction = true, .source = "later releases"},
    {.name = "Reduce_scatter",
     .reduction = true,
     .receive = Side::reduce_scatter_piece,
     .source = "IMB 3.1 User's Guide, 3.3.4.2"},
    {.name = "Reduce_scatter_block",
     .in_seed = false,
     .reduction = true,
     .send = Side::per_rank,
     .source = "later releases"},
    {.name = "Allgather", .receive = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.4"},
    {.name = "Allgatherv", .receive = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.5"},
    {.name = "Gather", .rooted = true, .receive = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.8"},
    {.name = "Gatherv", .rooted = true, .receive = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.9"},
    {.name = "Scatter", .rooted = true, .send = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.6"},
    {.name = "Scatterv", .rooted = true, .send = Side::per_rank, .source = "IMB 3.1 User's Guide, 3.3.4.7"},
    {.name = "Alltoall",
     .send = Side::per_rank,
     .receive = Side::per_rank,
     .source = "IMB 3.1 User's Guide, 3.3.4.10"},
    {.name = "Alltoallv",
     .send = Side::per_rank,
     .receive = Side::per_rank,
     .source = "IMB 3.1 User's Guide, 3.3.4.11"},
    {.name = "Bcast", .rooted = true, .source = "IMB 3.1 User's Guide, 3.3.4.12"},
    {.name = "Barrier",
     .kind = Class::sync,
     .send = Side::none,
     .receive = Side::none,
     .source = "IMB 3.1 User's Guide, 3.3.4.13"},
    of_later_releases(
        {.name = "PingPongSpecificSource", .kind = Class::single_transfer, .messages = 1, .time_divisor = 2}),
    of_later_releases(
        {.name = "PingPongAnySource", .kind = Class::single_transfer, .messages = 1, .time_divisor = 2}),
    of_later_releases({.name = "PingPingSpecificSource", .kind = Class::single_transfer, .messages = 1}),
    of_later_releases({.name = "PingPingAnySource", .kind = Class::single_transfer, .messages = 1}),
    of_later_releases(
        {.name = "Uniband", .kind = Class::message_rate, .receive = Side::window, .messages = 1}),
    of_later_releases(
        {.name = "Biband", .kind = Class::message_rate, .receive = Side::window, .messages = 2}),
};

}  // namespace steelyard::imb
