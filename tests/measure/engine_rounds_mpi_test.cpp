// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "engine_bench.hpp"

namespace steelyard::measure {
namespace {

using fake::Behaviour;
using fake::Bench;
using fake::Script;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;

AdaptiveRule quick_rule() {
  AdaptiveRule rule;
  rule.point_budget = Seconds{0.02};
  rule.clock = {1e-9, 1e-9};
  return rule;
}

/// The sequence of (operation index, count) on this rank as one number, to compare over ranks.
std::int64_t fingerprint(const Bench& bench) {
  std::uint64_t hash = 1469598103934665603U;
  for (const auto& [first, count] : bench.calls) hash = (hash ^ (first * 31 + count)) * 1099511628211U;
  return static_cast<std::int64_t>(hash >> 2U);
}

void expect_same_on_all(const mpi::Communicator& comm, std::int64_t value) {
  EXPECT_EQ(comm.min(value), comm.max(value));
}

TEST(adaptive_schedule, steady_operation_ends_by_its_interval_with_the_exact_time) {
  const Team team = fake::everybody();
  Bench bench;
  const auto schedule = adaptive_schedule(quick_rule());
  const Ticks cost = 1000 + team.active.rank();
  const Behaviour behaviour{.cost = [cost](std::uint64_t) { return cost; }};
  Task task = bench.task(*schedule, behaviour);
  task.placements = 4;
  EXPECT_FALSE(bench.measure(team, {task}));
  expect_same_on_all(team.active, fingerprint(bench));
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_EQ(outcome.status, record::Status::ok);
  // Where the system takes processors away from the processes, the point is looked at more often, up to its budget.
  if (outcome.schedule.stop == "budget")
    EXPECT_THAT(outcome.flags, Contains("preempted"));
  else
    EXPECT_EQ(outcome.schedule.stop, "ci");
  EXPECT_EQ(outcome.schedule.rule, "adaptive");
  EXPECT_GE(*outcome.schedule.visits, 6);
  EXPECT_EQ(outcome.schedule.placements, 4);
  EXPECT_NEAR(*outcome.time.median, (999 + team.active.size()) * 1e-9, 1e-15);
  EXPECT_NEAR(outcome.classic.max_s, (999 + team.active.size()) * 1e-9, 1e-15);
  EXPECT_NEAR(outcome.classic.min_s, 1000e-9, 1e-15);
  ASSERT_EQ(std::ssize(bench.placements), *outcome.schedule.visits);
  for (std::size_t i = 0; i < bench.placements.size(); ++i)
    EXPECT_EQ(bench.placements[i], static_cast<int>(i % 4));
  EXPECT_THAT(outcome.flags, Not(Contains("one_placement")));
  EXPECT_EQ(*outcome.schedule.ops, *outcome.schedule.batches * *outcome.schedule.ops_per_batch);
}

TEST(adaptive_schedule, what_is_dear_to_open_stays_open_for_some_visits_once_all_places_were_seen) {
  const Team team = fake::everybody();
  for (const bool anew : {false, true}) {
    Bench bench;
    const Script schedule(std::vector<Decision>(9, Visit{0, 1, 5}), true);
    Task task = bench.task(schedule, {});
    task.placements = 2;
    task.visits_at_a_place = 3;
    task.opens_anew = anew;
    bench.measure(team, {task});
    EXPECT_EQ(bench.placements,
              anew ? std::vector({0, 1, 0, 0, 0, 1, 1, 1, 0}) : std::vector({0, 1, 0, 1, 0}));
  }
}

TEST(adaptive_schedule, indices_run_on_without_a_gap_over_trials_warm_up_and_visits) {
  const Team team = fake::everybody();
  Bench bench;
  const auto schedule = adaptive_schedule(quick_rule());
  bench.measure(team, {bench.task(*schedule, {.cost = [](std::uint64_t) { return 4000; }})});
  std::uint64_t next = 0;
  for (const auto& [first, count] : bench.calls) {
    EXPECT_EQ(first, next);
    next = first + count;
  }
  if (team.active.is_root()) {
    EXPECT_THAT(bench.outcomes.at(0).flags, Contains("one_placement"));
  }
}

TEST(adaptive_schedule, ten_times_slower_clock_and_one_that_steps_back_change_no_order) {
  const Team team = fake::everybody();
  const int rank = team.active.rank();
  Bench bench;
  const auto schedule = adaptive_schedule(quick_rule());
  Behaviour behaviour{.cost = [](std::uint64_t) { return 4000; }};
  fake::Time& time = bench.time;
  if (rank == 1) behaviour.cost = [](std::uint64_t) { return 400; };  // a clock that runs at a tenth
  if (rank == 2)
    behaviour.cost = [&time](std::uint64_t i) {
      return i % 7 == 3 ? -std::min<Ticks>(time.at, 5000) : Ticks{4000};
    };
  bench.measure(team, std::vector<Task>(2, bench.task(*schedule, behaviour)));
  expect_same_on_all(team.active, fingerprint(bench));
  if (team.active.is_root()) {
    EXPECT_EQ(bench.outcomes.size(), 2U);
  }
}

TEST(rounds, points_are_visited_in_shuffled_order_and_delivered_in_that_of_the_plan) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule(std::vector<Decision>(2, Visit{0, 1, 5}), true);
  std::vector<int> seen;
  std::vector<Task> tasks;
  for (int t = 0; t < 5; ++t) {
    Task task = bench.task(schedule, {.on_open = [&seen, t](int) { seen.push_back(t); }});
    task.placements = 4;
    tasks.push_back(task);
  }
  bench.measure(team, tasks);
  ASSERT_EQ(seen.size(), 10U);
  for (std::size_t round = 0; round < 2; ++round) {
    const auto order = shuffled(5, 1, 0, round + 1);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(static_cast<std::size_t>(seen[5 * round + i]), order[i]);
  }
  if (team.active.is_root()) {
    EXPECT_THAT(bench.order, ElementsAre(0, 1, 2, 3, 4));
  }
}

TEST(rounds, finished_points_leave_the_rotation) {
  const Team team = fake::everybody();
  Bench bench;
  const Script one({Visit{0, 1, 5}}, true);
  const Script three(std::vector<Decision>(3, Visit{0, 1, 5}), true);
  bench.measure(team, {bench.task(one), bench.task(three)});
  EXPECT_EQ(bench.calls.size(), 4U * 5U);
  if (!team.active.is_root()) return;
  EXPECT_EQ(bench.outcomes.at(0).schedule.visits, 1);
  EXPECT_EQ(bench.outcomes.at(1).schedule.visits, 3);
}

TEST(rounds, long_trial_is_the_first_batch_and_not_measured_twice) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Trial{1, 10e-3}}, true);
  const Behaviour slow{.cost = [](std::uint64_t) { return 20'000'000; }};
  bench.measure(team, {bench.task(schedule, slow)});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_EQ(outcome.schedule.ops, 1);
  EXPECT_EQ(outcome.schedule.pilot_s, 0);
  EXPECT_NEAR(outcome.classic.max_s, 20e-3, 1e-12);
  EXPECT_NEAR(outcome.time.median.value(), 20e-3, 1e-12);
  EXPECT_NEAR(outcome.timed_s, 20e-3, 1e-12);
}

TEST(rounds, budget_that_ends_before_enough_visits_makes_the_point_partial) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule(std::vector<Decision>(3, Visit{0, 1, 5}), true, StopReason::budget);
  bench.measure(team, {bench.task(schedule)});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_EQ(outcome.status, record::Status::partial);
  EXPECT_EQ(outcome.reason.value().code, record::ReasonCode::time);
  EXPECT_EQ(outcome.reason.value().text, "point budget");
  EXPECT_EQ(outcome.schedule.stop, "budget");
}

TEST(rounds, first_visit_that_had_not_settled_becomes_warm_up) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1, 20}}, true);
  const Behaviour settling{.cost = [](std::uint64_t i) { return i < 8 ? 500 : 100; }};
  bench.measure(team, {bench.task(schedule, settling)});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_EQ(outcome.schedule.ops, 20);
  EXPECT_EQ(outcome.schedule.warmup_ops, 20);
  EXPECT_NEAR(outcome.time.max.value(), 100e-9, 1e-15);
  EXPECT_NEAR(outcome.classic.max_s, 100e-9, 1e-15);
  EXPECT_NEAR(outcome.warmup_s, 8 * 500e-9 + 12 * 100e-9, 1e-12);
}

TEST(rounds, batches_of_moving_roots_hold_whole_rounds_of_roots) {
  const Team team = fake::everybody();
  const auto ranks = static_cast<std::uint64_t>(team.active.size());
  Bench bench;
  const Script schedule({Visit{0, 3, 100}}, true);
  bench.measure(team, {bench.task(schedule, {}, {.rooted = true})});
  ASSERT_FALSE(bench.calls.empty());
  EXPECT_EQ(bench.calls.front().second % ranks, 0U);
  EXPECT_LE(bench.calls.back().first + bench.calls.back().second, 300U);
}

TEST(engine_account, timed_warm_up_and_overhead_add_up_to_the_wall_time) {
  const Team team = fake::everybody();
  Bench bench;
  bench.time.read_cost = 20;
  const auto schedule = adaptive_schedule(quick_rule());
  const Behaviour behaviour{.cost = [](std::uint64_t) { return 4000; }};
  bench.measure(team, {bench.task(*schedule, behaviour), bench.task(*schedule, behaviour)});
  const EngineAccount account = bench.engine().account();
  const double wall_s = static_cast<double>(bench.time.at) * 1e-9;
  EXPECT_NEAR(account.timed_s + account.warmup_s + account.overhead_s, wall_s, 100e-9);
  EXPECT_GT(account.visits, 11);
  if (!team.active.is_root()) return;
  double timed_s = 0;
  for (const auto& [index, outcome] : bench.outcomes) timed_s += outcome.timed_s;
  EXPECT_NEAR(account.timed_s, timed_s, 1e-9);
}

/// Four visits of eight operations of 1000 ticks; the second point does only the first of them.
struct TwoInRounds {
  Team team = fake::everybody();
  EngineOptions options = [] {
    EngineOptions at_once = Bench::quiet();
    at_once.keep_every_s = 0;
    return at_once;
  }();
  Bench bench{options};
  Script longer{{Visit{0, 1, 8}, Visit{0, 1, 8}, Visit{0, 1, 8}, Visit{0, 1, 8}}, true};
  Script shorter{{Visit{0, 1, 8}}, true};
  Behaviour behaviour{.cost = [](std::uint64_t) { return 1000; }};
};

TEST(rounds, hand_over_what_is_known_so_far_of_points_that_are_not_delivered) {
  TwoInRounds two;
  std::vector<std::vector<SoFar>> kept;
  two.bench.measure(two.team,
                    {two.bench.task(two.longer, two.behaviour), two.bench.task(two.shorter, two.behaviour)},
                    [&](std::vector<SoFar> points) { kept.push_back(std::move(points)); });
  if (!two.team.active.is_root()) return;
  ASSERT_GE(kept.size(), 3U);
  EXPECT_THAT(two.bench.order, ElementsAre(0, 1));
  const auto& first = kept.front();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].outcome.status, record::Status::partial);
  EXPECT_EQ(first[0].outcome.schedule.visits, 1);
  EXPECT_NEAR(first[0].outcome.classic.max_s, 1e-6, 1e-12);
  const auto& last = kept.back();
  EXPECT_EQ(last[0].outcome.schedule.visits, 4);
  EXPECT_EQ(last[1].outcome.status, record::Status::ok);  // finished, and waits for the one before it
}

TEST(rounds, asking_for_what_is_known_so_far_changes_no_result) {
  TwoInRounds with, without;
  for (TwoInRounds* two : {&with, &without})
    two->bench.measure(
        two->team,
        {two->bench.task(two->longer, two->behaviour), two->bench.task(two->shorter, two->behaviour)},
        two == &with ? Keep([](std::vector<SoFar>) {}) : Keep());
  EXPECT_EQ(with.bench.calls, without.bench.calls);
  if (!with.team.active.is_root()) return;
  for (const std::size_t point : {0U, 1U}) {
    EXPECT_EQ(with.bench.outcomes.at(point).time.median, without.bench.outcomes.at(point).time.median);
    EXPECT_EQ(with.bench.outcomes.at(point).classic.max_s, without.bench.outcomes.at(point).classic.max_s);
  }
}

TEST(rounds, deliver_a_point_as_soon_as_those_before_it_are_finished) {
  TwoInRounds two;
  std::size_t delivered = 99;
  two.bench.measure(two.team,
                    {two.bench.task(two.shorter, two.behaviour), two.bench.task(two.longer, two.behaviour)},
                    [&](const std::vector<SoFar>&) { delivered = two.bench.order.size(); });
  if (two.team.active.is_root()) {
    EXPECT_EQ(delivered, 1U);
  }
}

}  // namespace
}  // namespace steelyard::measure
