// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "engine_bench.hpp"
#include "measure/measurer.hpp"

namespace steelyard::measure {
namespace {

using fake::Behaviour;
using fake::Bench;
using fake::Script;
using testing::ElementsAre;

/// Operations of 100 ns on rank 0, 200 ns on rank 1, ...
Behaviour slower_with_rank(const mpi::Communicator& comm) {
  const Ticks cost = 100 * (comm.rank() + 1);
  return {.cost = [cost](std::uint64_t) { return cost; }};
}

TEST(classic_schedule, times_of_unequal_ranks_become_min_max_and_mean_over_ranks) {
  const Team team = fake::everybody();
  const int ranks = team.active.size();
  Bench bench;
  const Script schedule({Visit{1, 1000, 1}}, false);
  const Task task = bench.task(schedule, slower_with_rank(team.active), {.timing = Timing::whole});
  EXPECT_FALSE(bench.measure(team, {task}));
  EXPECT_THAT(bench.calls, ElementsAre(std::pair(0U, 1U), std::pair(1U, 1000U)));
  if (!team.active.is_root()) {
    EXPECT_TRUE(bench.outcomes.empty());
    return;
  }
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_EQ(outcome.status, record::Status::ok);
  EXPECT_DOUBLE_EQ(outcome.classic.min_s, 100e-9);
  EXPECT_DOUBLE_EQ(outcome.classic.max_s, ranks * 100e-9);
  EXPECT_DOUBLE_EQ(outcome.classic.mean_s, (ranks + 1) * 50e-9);
  EXPECT_EQ(outcome.classic.slowest_rank, ranks - 1);
  EXPECT_DOUBLE_EQ(outcome.time.median.value(), ranks * 100e-9);
  EXPECT_EQ(outcome.schedule.ops, 1000);
  EXPECT_EQ(outcome.schedule.warmup_ops, 1);
  EXPECT_EQ(outcome.schedule.batches, 1);
  EXPECT_EQ(outcome.schedule.ops_per_batch, 1000);
  EXPECT_EQ(outcome.schedule.stop, "count");
  EXPECT_EQ(outcome.schedule.timing, "whole");
  EXPECT_EQ(outcome.schedule.sync, "none");
  EXPECT_DOUBLE_EQ(outcome.timed_s, 100e-6);
  EXPECT_DOUBLE_EQ(outcome.warmup_s, 100e-9);
}

TEST(classic_schedule, a_point_is_told_before_anything_of_it_is_done) {
  const Team team = fake::everybody();
  std::vector<std::pair<std::int64_t, std::size_t>> begun;  // and calls before
  EngineOptions options = Bench::quiet();
  std::size_t* calls = nullptr;
  options.begins = [&](std::int64_t number) { begun.emplace_back(number, *calls); };
  Bench bench(options);
  std::size_t opened = 0;
  calls = &opened;
  const Script schedule({Trial{}, Visit{1, 10, 1}}, false);
  Behaviour behaviour;
  behaviour.on_open = [&](int) { ++opened; };
  std::vector<Task> tasks(2, bench.task(schedule, behaviour));
  tasks[0].number = 7;
  tasks[1].number = 3;
  bench.measure(team, tasks);
  if (team.active.is_root())
    EXPECT_THAT(begun, ElementsAre(std::pair(7, 0U), std::pair(3, 1U)));
  else
    EXPECT_TRUE(begun.empty());
}

TEST(classic_schedule, points_are_measured_and_delivered_in_the_order_given) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 10, 1}}, false);
  const std::vector<Task> tasks(3, bench.task(schedule));
  bench.measure(team, tasks);
  if (team.active.is_root()) {
    EXPECT_THAT(bench.order, ElementsAre(0, 1, 2));
  }
}

TEST(classic_schedule, owned_result_leaves_out_the_ranks_that_own_none) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 10, 4}}, false);
  Traits traits{.timing = Timing::batch, .over_ranks = OverRanks::one};
  traits.owns_result = team.active.is_root();
  traits.time_divisor = 2;
  bench.measure(team, {bench.task(schedule, slower_with_rank(team.active), traits)});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_DOUBLE_EQ(outcome.time.median.value(), 50e-9);
  EXPECT_EQ(outcome.time.over_ranks, "one");
  EXPECT_DOUBLE_EQ(outcome.classic.max_s, 50e-9);
  EXPECT_DOUBLE_EQ(outcome.classic.mean_s, 50e-9);
}

TEST(classic_schedule, trials_tell_the_slowest_rank_and_are_no_result) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Trial{5, std::nullopt}, Visit{0, 10, 1}}, false);
  bench.measure(team, {bench.task(schedule, slower_with_rank(team.active))});
  EXPECT_THAT(bench.calls, ElementsAre(std::pair(0U, 5U), std::pair(5U, 10U)));
  if (!team.active.is_root()) return;
  EXPECT_EQ(bench.outcomes.at(0).schedule.ops, 10);
  EXPECT_DOUBLE_EQ(bench.outcomes.at(0).schedule.pilot_s.value(), 500e-9);
}

/// As many operations as the lead-in of its trial took nanoseconds.
class AsManyAsTheLeadIn final : public Schedule {
 public:
  Decision next(const History& history) const override {
    if (history.trials.empty()) return Trial{5, std::nullopt};
    if (history.visits > 0) return Stop{StopReason::count};
    return Visit{0, static_cast<std::uint64_t>(std::lround(1e9 * history.trials.back().lead_in_s)), 1};
  }
  std::string_view rule() const override { return "fixed"; }
};

TEST(classic_schedule, trials_tell_what_the_slowest_rank_did_before_them) {
  const Team team = fake::everybody();
  Bench bench;
  const AsManyAsTheLeadIn schedule;
  bench.measure(team,
                {bench.task(schedule, {.leading = Ticks{30} * static_cast<Ticks>(team.active.rank() + 1)})});
  EXPECT_EQ(bench.calls.back().second, 30U * static_cast<unsigned>(team.active.size()));
}

TEST(classic_schedule, workloads_are_told_what_counts_on_their_rank) {
  const Team team = fake::everybody();
  const double op_s = 100e-9 * (team.active.rank() + 1);
  const Script schedule({Trial{5, std::nullopt}, Visit{2, 10, 3}}, false);
  for (const Timing timing : {Timing::whole, Timing::batch, Timing::each}) {
    Bench bench;
    std::vector<std::pair<std::uint64_t, double>> told;
    auto behaviour = slower_with_rank(team.active);
    behaviour.on_timed = [&told](std::uint64_t count, double seconds) { told.emplace_back(count, seconds); };
    Traits traits;
    traits.timing = timing;
    bench.measure(team, {bench.task(schedule, behaviour, traits)});
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().first, 30U);
    EXPECT_NEAR(told.front().second, 30 * op_s, 1e-12);
  }
}

TEST(classic_schedule, three_passes_give_the_median_of_their_classic_values) {
  const Team team = fake::everybody();
  EngineOptions options = Bench::quiet();
  options.classic_passes = 3;
  Bench bench(options);
  const Script schedule({Visit{0, 10, 1}}, false);
  // Passes of 100, 700, 300 ns an operation: the index runs on over the passes.
  const Behaviour behaviour{.cost = [](std::uint64_t i) { return i < 10 ? 100 : i < 20 ? 700 : 300; }};
  bench.measure(team, {bench.task(schedule, behaviour)});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_DOUBLE_EQ(outcome.classic.max_s, 300e-9);
  EXPECT_EQ(outcome.schedule.ops, 30);
  EXPECT_EQ(outcome.time.n, 3);
}

TEST(classic_schedule, single_times_are_those_of_the_timed_operations_in_the_order_of_time) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{2, 4, 1}}, false);
  const Behaviour behaviour{.cost = [](std::uint64_t i) { return static_cast<Ticks>(1000 - i); }};
  Task task = bench.task(schedule, behaviour, {.timing = Timing::whole, .time_divisor = 2});
  task.single_times = 100;
  bench.measure(team, {task});
  if (team.active.is_root()) {
    const Outcome& outcome = bench.outcomes.at(0);
    EXPECT_THAT(outcome.single_times_s,
                testing::Pointwise(testing::DoubleNear(1e-15), {499e-9, 498.5e-9, 498e-9, 497.5e-9}));
    EXPECT_NEAR(outcome.classic.max_s, 498.25e-9, 1e-15);
    EXPECT_EQ(outcome.schedule.ops, 4);
    EXPECT_EQ(outcome.schedule.batches, 1);
  }
}

TEST(each_operation, keeps_the_single_times_that_are_asked_for) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 2, 3}}, false);
  const Behaviour behaviour{.cost = [](std::uint64_t i) { return static_cast<Ticks>(1000 + i); }};
  Task task = bench.task(schedule, behaviour, {.timing = Timing::each, .sync = Sync::barrier});
  task.single_times = 5;
  bench.measure(team, {task});
  if (team.active.is_root()) {
    EXPECT_THAT(
        bench.outcomes.at(0).single_times_s,
        testing::Pointwise(testing::DoubleNear(1e-15), {1000e-9, 1001e-9, 1002e-9, 1003e-9, 1004e-9}));
  }
}

TEST(each_operation, maximum_over_ranks_is_taken_operation_by_operation) {
  const Team team = fake::everybody();
  const int ranks = team.active.size();
  const int rank = team.active.rank();
  Bench bench;
  // The slow rank moves: every operation takes 1000 ns on one rank and 100 on the others.
  const Behaviour behaviour{
      .cost = [rank, ranks](std::uint64_t i) { return static_cast<int>(i) % ranks == rank ? 1000 : 100; }};
  const auto n = static_cast<std::uint64_t>(ranks);
  const Script schedule({Visit{0, n, 6}}, false);
  bench.measure(team, {bench.task(schedule, behaviour, {.timing = Timing::each, .sync = Sync::barrier})});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_NEAR(outcome.time.median.value(), 1000e-9, 1e-15);
  EXPECT_NEAR(outcome.classic.max_s, (1000e-9 + (ranks - 1) * 100e-9) / ranks, 1e-15);
  EXPECT_EQ(outcome.schedule.timing, "each");
  EXPECT_EQ(outcome.schedule.sync, "barrier");
  EXPECT_EQ(outcome.schedule.batches, 6);
}

/// Reads clocks of its own, as threads do: 7 ns more for each operation. Nothing of it takes time by the engine's.
class OwnClocks final : public Workload {
 public:
  explicit OwnClocks(std::vector<std::uint64_t>& counted) : counted_(counted) {}
  int run(std::uint64_t first, std::uint64_t) noexcept override {
    if (!counting_) return 0;
    counted_.push_back(first);
    seconds_.push_back(static_cast<double>(7 * first) * 1e-9);
    return 0;
  }
  void begin_counting(std::size_t) override {
    counting_ = true;
    seconds_.clear();
  }
  [[nodiscard]] std::span<const double> counted_s() override {
    counting_ = false;
    return seconds_;
  }

 private:
  bool counting_ = false;
  std::vector<double> seconds_;
  std::vector<std::uint64_t>& counted_;
};

TEST(each_operation, is_told_by_the_clocks_of_the_workload_where_it_has_some) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{2, 1, 3}}, false);
  std::vector<std::uint64_t> counted;
  Task task = bench.task(schedule, {}, {.timing = Timing::each, .sync = Sync::barrier});
  task.open = [&counted](int) { return std::make_unique<OwnClocks>(counted); };
  bench.measure(team, {task});
  EXPECT_THAT(counted, testing::ElementsAre(2, 3, 4)) << "warm-up does not count";
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_THAT(outcome.time.batches, testing::Pointwise(testing::DoubleNear(1e-15), {14e-9, 21e-9, 28e-9}));
  EXPECT_NEAR(outcome.classic.max_s, 21e-9, 1e-15);
}

TEST(each_operation, more_than_4096_values_are_reduced_in_parts) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1000, 10}}, false);
  const Behaviour behaviour{.cost = [](std::uint64_t i) { return static_cast<Ticks>(i / 1000); }};
  Task task = bench.task(schedule, behaviour, {.timing = Timing::each});
  bench.measure(team, {task});
  if (!team.active.is_root()) return;
  const auto& batches = bench.outcomes.at(0).time.batches;
  ASSERT_EQ(batches.size(), 10U);
  for (std::size_t b = 0; b < 10; ++b) EXPECT_NEAR(batches[b], static_cast<double>(b) * 1e-9, 1e-15);
}

TEST(each_operation, short_ones_are_corrected_for_the_clock_and_say_so) {
  const Team team = fake::everybody();
  EngineOptions options = Bench::quiet();
  options.back_to_back_s = 20e-9;
  Bench bench(options);
  const Script schedule({Visit{0, 1, 8}}, false);
  bench.measure(team, {bench.task(schedule, {}, {.timing = Timing::each})});
  if (!team.active.is_root()) return;
  const Outcome& outcome = bench.outcomes.at(0);
  EXPECT_NEAR(outcome.time.median.value(), 80e-9, 1e-15);
  EXPECT_NEAR(outcome.uncorrected_median_s.value(), 100e-9, 1e-15);
  EXPECT_NEAR(outcome.classic.max_s, 100e-9, 1e-15);
  EXPECT_THAT(outcome.flags, testing::Contains("clock_corrected"));
}

/// Six visits; keeps the interval that the last question told of.
class Curious final : public Schedule {
 public:
  Decision next(const History& history) const override {
    half_width = history.half_width;
    if (history.visits >= 6) return Stop{StopReason::ci};
    return Visit{0, 1, 20};
  }
  std::string_view rule() const override { return "adaptive"; }
  bool interleaved() const override { return true; }
  mutable std::optional<double> half_width;
};

double half_width_told(double back_to_back_s) {
  EngineOptions options = Bench::quiet();
  options.back_to_back_s = back_to_back_s;
  Bench bench(options);
  const Curious schedule;
  const Behaviour behaviour{.cost = [](std::uint64_t i) { return static_cast<Ticks>(90 + i % 21); }};
  bench.measure(fake::everybody(), {bench.task(schedule, behaviour, {.timing = Timing::each})});
  return schedule.half_width.value_or(0);
}

TEST(each_operation, schedules_hear_the_interval_of_the_corrected_value) {
  if (!mpi::Communicator::world().is_root()) {
    half_width_told(0);
    half_width_told(50e-9);
    return;
  }
  const double raw = half_width_told(0);
  EXPECT_GT(raw, 0);
  EXPECT_NEAR(half_width_told(50e-9) / raw, 100.0 / (100 - 50), 0.05);
}

TEST(rates_of_hosts, are_means_of_their_ranks_on_the_first_of_all) {
  const Team team = fake::everybody();
  const int rank = team.active.rank(), ranks = team.active.size();
  const RatesOfHosts hosts(team.active, team.active.split(rank / 2, rank));
  const auto found = hosts.merge(1.0 / (rank + 1), true);
  const int number = (ranks + 1) / 2;
  if (!team.active.is_root() || number < 2) {
    EXPECT_TRUE(found.empty());
    return;
  }
  ASSERT_EQ(found.size(), static_cast<std::size_t>(number));
  EXPECT_EQ(found[1].rank, 2);
  EXPECT_DOUBLE_EQ(found[0].rate_op_s, 1.5);
  EXPECT_DOUBLE_EQ(found[1].rate_op_s, ranks > 3 ? 3.5 : 3);
}

TEST(rates_of_hosts, leave_out_hosts_that_take_no_part) {
  const Team team = fake::everybody();
  const int rank = team.active.rank();
  const RatesOfHosts hosts(team.active, team.active.split(rank, 0));
  const auto found = hosts.merge(0.5, rank != 1);
  if (team.active.is_root() && team.active.size() > 2) {
    EXPECT_EQ(found.size(), static_cast<std::size_t>(team.active.size()) - 1);
  }
}

}  // namespace
}  // namespace steelyard::measure
