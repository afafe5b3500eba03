// SPDX-License-Identifier: Apache-2.0
#include "campaign/team.hpp"

#include <algorithm>

namespace steelyard::campaign {
namespace {

/// This rank's place among the renumbered ranks.
int place_of(int rank, const std::vector<int>& order) {
  if (order.empty()) return rank;
  const auto found = std::ranges::find(order, rank);
  return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

}  // namespace

measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block) {
  const int place = place_of(world.rank(), block.rank_order);
  const bool takes_part = place >= 0 && place < block.processes * block.groups;
  measure::Team team;
  team.groups = block.groups;
  team.active = world.split(takes_part ? 0 : -1, std::max(place, 0));
  if (!takes_part) return team;
  team.index = place / block.processes;
  team.group = team.active.split(team.index, place);
  return team;
}

const measure::Team& Teams::of(const suites::BlockPlan& block) {
  const Shape shape{block.processes, block.groups, block.rank_order};
  if (!team_ || shape != shape_) {
    team_.reset();
    team_ = make_team(world_, block);
    shape_ = shape;
    measured_ = measured_team();
  }
  return *team_;
}

measure::Team Teams::measured_team() const {
  measure::Team team;
  team.groups = team_->groups;
  team.index = team_->index;
  if (!team_->takes_part()) return team;
  team.active = team_->active.duplicate();
  team.group = team.active.split(team_->index, team_->active.rank());
  return team;
}

int world_rank(const suites::BlockPlan& block, int active_rank) {
  const auto place = static_cast<std::size_t>(active_rank);
  return place < block.rank_order.size() ? block.rank_order[place] : active_rank;
}

}  // namespace steelyard::campaign
