// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "suites/imb/definition.hpp"

/// Benchmarks of what MPI-4 brings and no program of IMB measures. Source: docs/suites/mpi4.md.
namespace steelyard::imb {

/// Row of a collective, its request and its blocking call: X bytes as in IMB-NBC.
[[nodiscard]] constexpr Definition with_request(Definition row) {
  row.table = row.kind == Class::sync ? Table::j_unsized : Table::j;
  row.family = Family::persistent_collectives;
  row.comparison = Comparison::collective;
  row.source = "MPI 4.1 standard, 6.13";
  return row;
}

[[nodiscard]] constexpr Definition by_requests(Definition row) {
  row.comparison = Comparison::messages;
  row.source = "MPI 4.1 standard, 3.9";
  return row;
}

[[nodiscard]] constexpr Definition in_parts(Definition row) {
  row.family = Family::partitioned;
  row.partitions = true;
  if (!row.table) row.table = Table::k;
  row.usual_sizes = SizeSteps{.low = 10, .high = 24, .step = 2, .zero = false};
  row.source = "MPI 4.1 standard, 4.2";
  return row;
}

[[nodiscard]] constexpr Definition of_neighbours(Definition row) {
  row.neighbours = true;
  row.usual_sizes = SizeSteps{.high = 20};
  row.send = row.receive = Side::sections;
  row.source = "MPI 4.1 standard, 8.6";
  return row;
}

inline constexpr auto own_mpi4_benchmarks = std::to_array<Definition>({
    by_requests(
        {.name = "PingPong_persist", .kind = Class::single_transfer, .messages = 1, .time_divisor = 2}),
    by_requests({.name = "PingPing_persist", .kind = Class::single_transfer, .messages = 1}),
    by_requests({.name = "Sendrecv_persist", .kind = Class::parallel_transfer, .messages = 2}),
    by_requests({.name = "Exchange_persist",
                 .kind = Class::parallel_transfer,
                 .send = Side::two,
                 .receive = Side::two,
                 .messages = 4}),
    by_requests(
        {.name = "Uniband_persist", .kind = Class::message_rate, .receive = Side::window, .messages = 1}),
    by_requests(
        {.name = "Biband_persist", .kind = Class::message_rate, .receive = Side::window, .messages = 2}),
    with_request({.name = "Bcast_init", .rooted = true}),
    with_request({.name = "Reduce_init", .reduction = true, .rooted = true}),
    with_request({.name = "Allreduce_init", .reduction = true}),
    with_request({.name = "Reduce_scatter_init", .reduction = true, .send = Side::per_rank}),
    with_request({.name = "Reduce_scatter_block_init", .reduction = true, .send = Side::per_rank}),
    with_request({.name = "Allgather_init", .receive = Side::per_rank}),
    with_request({.name = "Allgatherv_init", .receive = Side::per_rank}),
    with_request({.name = "Gather_init", .rooted = true, .receive = Side::per_rank}),
    with_request({.name = "Gatherv_init", .rooted = true, .receive = Side::per_rank}),
    with_request({.name = "Scatter_init", .rooted = true, .send = Side::per_rank}),
    with_request({.name = "Scatterv_init", .rooted = true, .send = Side::per_rank}),
    with_request({.name = "Alltoall_init", .send = Side::per_rank, .receive = Side::per_rank}),
    with_request({.name = "Alltoallv_init", .send = Side::per_rank, .receive = Side::per_rank}),
    with_request({.name = "Barrier_init", .kind = Class::sync, .send = Side::none, .receive = Side::none}),
    in_parts({.name = "PingPong_part", .kind = Class::single_transfer, .messages = 1, .time_divisor = 2}),
    in_parts({.name = "Uniband_part", .kind = Class::single_transfer, .messages = 1}),
    in_parts({.name = "Overlap_part",
              .kind = Class::single_transfer,
              .messages = 1,
              .table = Table::l,
              .comparison = Comparison::whole_message}),
    // Several neighbours at once have hung in a library that many have.
    in_parts({.name = "Exchange_part",
              .kind = Class::parallel_transfer,
              .in_seed = false,
              .in_2021 = false,
              .send = Side::two,
              .receive = Side::two,
              .messages = 4}),
    of_neighbours({.name = "Halo_p2p"}),
    of_neighbours({.name = "Neighbor_allgather", .comparison = Comparison::halo}),
    of_neighbours({.name = "Neighbor_alltoall", .comparison = Comparison::halo}),
    of_neighbours({.name = "Neighbor_alltoallv", .comparison = Comparison::halo}),
    of_neighbours({.name = "Ineighbor_alltoall",
                   .table = Table::e,
                   .with_computation = true,
                   .comparison = Comparison::halo}),
    of_neighbours({.name = "Ineighbor_alltoall_pure",
                   .in_seed = false,
                   .in_2021 = false,
                   .comparison = Comparison::halo}),
    of_neighbours({.name = "Neighbor_alltoall_persist",
                   .family = Family::persistent_neighbours,
                   .comparison = Comparison::halo}),
});

}  // namespace steelyard::imb
