// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "measure/engine.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Team of a block. Collective over the world.
[[nodiscard]] measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block);

/// Teams of consecutive blocks; the last one is kept, because blocks of one process number follow each other.
/// The engine agrees on what to do by communicators that nothing is measured with: an operation that went
/// wrong on one process must not meet them.
class Teams {
 public:
  explicit Teams(const mpi::Communicator& world) : world_(world) {}
  /// For the engine. Collective over the world when the shape changes.
  [[nodiscard]] const measure::Team& of(const suites::BlockPlan& block);
  /// The same processes, for what is measured.
  [[nodiscard]] const measure::Team& measured() const { return measured_; }
  /// A message of a failed operation may stay in the communicators of what is measured and in those that a
  /// session has made of them; none of them is freed any more. Local.
  void abandon() const { measured_.active.abandon(); }
  /// New communicators for what is measured. Collective over the present team.
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
