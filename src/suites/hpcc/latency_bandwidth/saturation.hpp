// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"

namespace steelyard::hpcc {

/// Random rings with 1, 2, 4, ... and all processes of every node: how many a node needs to saturate its
/// network. Source of the question: 004_d8fcc96de81908c2.txt section 4. On rank 0; empty elsewhere.
struct Saturation {
  std::vector<double> processes;    // of a node that took part
  std::vector<double> node_byte_s;  // of a node with so many
};

/// Where a process is: its node, and how many of its node come before it.
struct PlaceOnNode {
  int before = 0;
  int nodes = 1, most_on_node = 1;  // of the whole world
};
/// By the memory that processes share. Collective.
[[nodiscard]] PlaceOnNode place_on_node(const mpi::Communicator& world);

/// At least two nodes, rank 0 the first of its node. Collective; throws mpi::Error.
[[nodiscard]] Saturation saturation(const mpi::Communicator& world, const PlaceOnNode& place,
                                    const RingRule& rule, std::uint64_t seed);

}  // namespace steelyard::hpcc
