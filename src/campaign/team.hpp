// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "measure/team.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Team of a block. Collective over the world.
[[nodiscard]] measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block);

/// Teams of consecutive blocks; the last one is kept, because blocks of one process number follow each other.
class Teams {
 public:
  explicit Teams(const mpi::Communicator& world) : world_(world) {}
  /// Collective over the world when the shape changes.
  [[nodiscard]] const measure::Team& of(const suites::BlockPlan& block);

 private:
  struct Shape {
    int processes = 0, groups = 0;
    std::vector<int> rank_order;
    bool operator==(const Shape&) const = default;
  };
  const mpi::Communicator& world_;
  Shape shape_;
  std::optional<measure::Team> team_;
};

/// Rank in the world of a rank of a block's active communicator.
[[nodiscard]] int world_rank(const suites::BlockPlan& block, int active_rank);

}  // namespace steelyard::campaign
