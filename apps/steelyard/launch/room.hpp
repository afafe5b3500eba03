// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "process/launched.hpp"

/// Room for processes where the launcher will start them: on this node, or on those of a batch job.
namespace steelyard::cli {

struct Room {
  /// Processes that the launcher starts without being told of more; nullopt: the launcher alone knows.
  std::optional<int> slots;
  /// Processes that each have a core; nullopt: not known.
  std::optional<int> cores;
  int nodes = 1;
  /// Groups of a heterogeneous job of Slurm; its variables tell the nodes of one of them, or of none.
  int groups = 1;
};

/// Room on this node with so many usable cores, or on all nodes of the allocation: Slurm, PBS (PBS_NODEFILE), LSF, Grid
/// Engine, or a file of several hosts that Open MPI takes by default. Of several nodes only what the batch system
/// says is known.
[[nodiscard]] Room room_for_processes(int cores, const Variables& read = variable);

/// Processes that share a node where launchers fill one node after the other.
[[nodiscard]] int processes_of_a_node(int processes, const Room& room);

}  // namespace steelyard::cli
