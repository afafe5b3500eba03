// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "campaign/disturbances.hpp"
#include "machine/node_counters.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::campaign {

/// Counters of the kernel of every node, from its making until it is asked. One rank of each node reads.
class NodeWatch {
 public:
  /// Collective. Throws mpi::Error.
  explicit NodeWatch(const mpi::Communicator& world, const machine::Roots& roots = {});

  /// What the nodes counted since, the same on all ranks; without visits, which the engine counts. Collective over
  /// the same ranks. Throws mpi::Error.
  [[nodiscard]] Disturbances met(const mpi::Communicator& world, const machine::Roots& roots = {}) const;

 private:
  std::optional<machine::NodeCounters> begin_;  // on the rank that reads
  std::vector<int> processors_;                 // that ranks of the node may use
};

}  // namespace steelyard::campaign
