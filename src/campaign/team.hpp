// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "measure/engine.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Makes the team of a block. Collective over the world.
[[nodiscard]] measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block);

/// Teams of consecutive blocks; the last one is kept, because blocks of one process number follow each other.
/// The engine communicates by communicators that nothing is measured with: messages of a failed operation
/// must not reach it.
class Teams {
 public:
  explicit Teams(const mpi::Communicator& world) : world_(world) {}
  /// Team for the engine. Collective over the world when the shape changes.
  [[nodiscard]] const measure::Team& of(const suites::BlockPlan& block);
  /// Team of the same processes for the measured operations.
  [[nodiscard]] const measure::Team& measured() const { return measured_; }
  /// Abandons the communicators of the measured operations and those that a session has made of them:
  /// messages of a failed operation may stay in them, and none of them is freed any more. Local.
  void abandon() const { measured_.active.abandon(); }
  /// Makes new communicators for the measured operations. Collective over the present team.
  void renew() { measured_ = measured_team(); }

 private:
  [[nodiscard]] measure::Team measured_team() const;

  struct Shape {
    int processes = 0, groups = 0;
    std::vector<int> rank_order;
    bool operator==(const Shape&) const = default;
  };
  const mpi::Communicator& world_;
  Shape shape_;
  std::optional<measure::Team> team_;
  measure::Team measured_;
};

/// Rank in the world of a rank of a block's active communicator.
[[nodiscard]] int world_rank(const suites::BlockPlan& block, int active_rank);

}  // namespace steelyard::campaign
