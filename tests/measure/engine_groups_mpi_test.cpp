// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "engine_bench.hpp"

namespace steelyard::measure {
namespace {

using fake::Bench;
using fake::Script;

/// Groups of two in rank order; a rank that is left over is idle.
Team pairs() {
  const auto world = mpi::Communicator::world();
  Team team;
  team.groups = world.size() / 2;
  team.index = world.rank() / 2;
  const bool active = team.index < team.groups;
  team.active = world.split(active ? 0 : -1, world.rank());
  team.group = world.split(active ? team.index : -1, world.rank());
  return team;
}

TEST(groups, every_group_has_its_own_spread_and_the_time_is_that_of_the_slowest) {
  const Team team = pairs();
  if (!team.takes_part()) return;  // one process, or the idle last of an odd number
  Bench bench;
  const Ticks cost = 100 * (team.active.rank() + 1);
  for (const bool interleaved : {false, true}) {
    const Script schedule({Visit{1, 10, 8}}, interleaved);
    bench.measure(team, {bench.task(schedule, {.cost = [cost](std::uint64_t) { return cost; }})});
    if (!team.active.is_root()) continue;
    const Outcome& outcome = bench.outcomes.at(0);
    ASSERT_EQ(outcome.by_group.size(), static_cast<std::size_t>(team.groups));
    for (int g = 0; g < team.groups; ++g) {
      const RankSpread& spread = outcome.by_group[static_cast<std::size_t>(g)];
      EXPECT_NEAR(spread.min_s, (2 * g + 1) * 100e-9, 1e-15);
      EXPECT_NEAR(spread.max_s, (2 * g + 2) * 100e-9, 1e-15);
      EXPECT_NEAR(spread.mean_s, (4 * g + 3) * 50e-9, 1e-15);
      EXPECT_EQ(spread.slowest_rank, 2 * g + 1);
    }
    EXPECT_NEAR(outcome.classic.max_s, team.active.size() * 100e-9, 1e-15);
    EXPECT_NEAR(*outcome.time.median, team.active.size() * 100e-9, 1e-15);
  }
}

TEST(groups, failure_in_the_last_group_ends_the_point_for_all_groups) {
  const Team team = pairs();
  if (!team.takes_part()) return;  // one process, or the idle last of an odd number
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, true);
  const bool bad = team.active.rank() == team.active.size() - 1;
  bench.measure(team,
                {bench.task(schedule, {.code = [bad](std::uint64_t) { return bad ? MPI_ERR_COUNT : 0; }}),
                 bench.task(schedule)});
  if (!team.active.is_root()) return;
  EXPECT_EQ(bench.outcomes.at(0).status, record::Status::failed);
  EXPECT_EQ(bench.outcomes.at(1).status, record::Status::ok);
}

/// An operation in which all processes must be at the same point.
int meet_at(const mpi::Communicator& world, int point) {
  int here[2] = {point, -point}, most[2];
  MPI_Allreduce(here, most, 2, MPI_INT, MPI_MAX, world.get());
  return most[0] == point && most[1] == -point ? MPI_SUCCESS : MPI_ERR_OTHER;
}

TEST(groups, who_took_no_part_in_a_block_visits_the_points_of_the_next_in_the_same_order) {
  const auto world = mpi::Communicator::world();
  const bool first = world.is_root();
  Bench bench;
  const Script schedule({Visit{1, 1, 4}}, true);
  if (Team alone{world.split(first ? 0 : -1, 0), world.split(first ? 0 : -1, 0)}; first)
    bench.measure(alone, {bench.task(schedule)});
  const Team all{world.split(0, world.rank()), world.split(0, world.rank())};
  std::vector<Task> tasks;
  for (int point = 0; point < 8; ++point)
    tasks.push_back(
        bench.task(schedule, {.code = [&world, point](std::uint64_t) { return meet_at(world, point); }}));
  bench.measure(all, tasks);
  for (std::size_t point = 0; first && point < tasks.size(); ++point)
    EXPECT_EQ(bench.outcomes.at(point).status, record::Status::ok) << point;
}

}  // namespace
}  // namespace steelyard::measure
