// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "campaign/node_events.hpp"
#include "machine/node_counters.hpp"
#include "machine/pages.hpp"
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

/// Where the buffers of this process lie while it measures: a process that is bound to a NUMA domain expects them there.
class PageWatch {
 public:
  explicit PageWatch(const machine::Roots& roots = {});

  /// Looks at the memory that is in use now, unless looking has taken more than a part of the time so far. Does not
  /// communicate.
  void look(double elapsed_s);
  /// Adds what all processes saw. Collective. Throws mpi::Error.
  void tell(const mpi::Communicator& world, Disturbances& met) const;

 private:
  machine::Roots roots_;
  std::optional<int> domain_;
  double spent_s_ = 0, share_ = 0;  // of the memory that is elsewhere, at most
};

}  // namespace steelyard::campaign
