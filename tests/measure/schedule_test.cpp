// SPDX-License-Identifier: Apache-2.0
#include "measure/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "scripted_point.hpp"

namespace steelyard::measure {
namespace {

using testing::UnorderedElementsAreArray;

constexpr ClockFigures typical{25e-9, 10e-9};

TEST(ops_per_batch, examples_of_the_methodology) {
  EXPECT_EQ(ops_per_batch(0.2e-6, 0.02, typical, 0), 13U);
  EXPECT_EQ(ops_per_batch(0.7e-6, 0.02, typical, 0), 4U);
  EXPECT_EQ(ops_per_batch(2.5e-6, 0.02, typical, 0), 1U);
  EXPECT_EQ(ops_per_batch(2.6e-6, 0.02, typical, 0), 1U);
}

TEST(ops_per_batch, rules_hold_from_a_nanosecond_to_ten_seconds) {
  for (double t = 1e-9; t <= 10.1; t *= 1.07) {
    for (const std::uint64_t planned : {0U, 4096U, 100'000U}) {
      const auto k = static_cast<double>(ops_per_batch(t, 0.02, typical, planned));
      EXPECT_TRUE(k * t <= 10e-3 * (1 + 1e-9) || k == 1) << t;
      EXPECT_LE(typical.cost_s / (k * t), 0.01 * (1 + 1e-9)) << t;
      EXPECT_LE(typical.step_s / (k * t), 0.2 * 0.02 * (1 + 1e-9)) << t;
      if (static_cast<double>(planned) * t <= 10.0) {
        EXPECT_LE(std::ceil(static_cast<double>(planned) / k), 4096) << t;
      }
    }
  }
}

TEST(ops_per_batch, is_the_smallest_that_keeps_the_rules) {
  for (double t = 1e-9; t <= 1e-3; t *= 1.3) {
    const auto k = static_cast<double>(ops_per_batch(t, 0.02, typical, 0));
    if (k == 1) continue;
    EXPECT_TRUE(typical.cost_s / ((k - 1) * t) > 0.01 || typical.step_s / ((k - 1) * t) > 0.2 * 0.02) << t;
  }
}

TEST(ops_per_batch, coarse_clock_and_narrow_interval_make_it_larger) {
  EXPECT_EQ(ops_per_batch(1e-6, 0.02, {25e-9, 1e-6}, 0), 250U);
  EXPECT_EQ(ops_per_batch(1e-6, 0.001, typical, 0), 50U);
}

TEST(ops_per_batch, batch_never_exceeds_ten_milliseconds) {
  EXPECT_EQ(ops_per_batch(1e-3, 0.02, {1e-3, 1e-3}, 0), 10U);
  EXPECT_EQ(ops_per_batch(20e-3, 0.02, {1e-3, 1e-3}, 0), 1U);
}

TEST(ops_per_batch, operation_without_duration_is_bounded) {
  EXPECT_LE(ops_per_batch(0, 0.02, typical, 0), 100'000'000U);
}

TEST(next_trial, counts_double_until_long_enough) {
  std::vector<TrialResult> trials;
  std::vector<std::uint64_t> counts;
  while (const auto trial = next_trial(trials, typical)) {
    counts.push_back(trial->ops);
    trials.push_back({trial->ops, 1e-6 * static_cast<double>(trial->ops)});
  }
  EXPECT_THAT(counts, testing::ElementsAre(1, 2, 4, 8, 16, 32));
}

TEST(next_trial, coarse_clock_asks_for_longer_trials) {
  const std::vector<TrialResult> trials{{32, 32e-6}};
  EXPECT_FALSE(next_trial(trials, typical));
  EXPECT_TRUE(next_trial(trials, {1e-6, 1e-6}));
}

TEST(next_trial, ends_at_65536_operations) {
  EXPECT_EQ(next_trial(std::vector<TrialResult>{{32768, 0}}, typical)->ops, 65536U);
  EXPECT_FALSE(next_trial(std::vector<TrialResult>{{65536, 0}}, typical));
}

TEST(next_trial, operation_of_more_than_a_second_counts_at_once) {
  EXPECT_EQ(next_trial({}, typical)->counts_above_s, 1.0);
  EXPECT_FALSE(next_trial(std::vector<TrialResult>{{1, 1.1}}, typical));
}

TEST(next_trial, long_operation_counts_when_it_is_confirmed) {
  const auto second = next_trial(std::vector<TrialResult>{{1, 60e-3}}, typical);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->ops, 1U);
  EXPECT_DOUBLE_EQ(*second->counts_above_s, 30e-3);
  EXPECT_DOUBLE_EQ(*next_trial(std::vector<TrialResult>{{1, 11e-3}}, typical)->counts_above_s, 10e-3);
  EXPECT_FALSE(next_trial(std::vector<TrialResult>{{1, 60e-3}, {1, 58e-3}}, typical));
}

TEST(next_trial, interrupted_first_trial_is_forgotten) {
  const auto third = next_trial(std::vector<TrialResult>{{1, 20e-3}, {1, 1e-6}}, typical);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->ops, 2U);
  EXPECT_FALSE(third->counts_above_s);
}

TEST(next_trial, later_trials_do_not_count) {
  EXPECT_FALSE(next_trial(std::vector<TrialResult>{{1, 1e-6}}, typical)->counts_above_s);
}

TEST(fixed_schedule, record_tells_the_usual_batch_and_not_the_rest) {
  const auto schedule = fixed_schedule(101, 0);  // 50 batches of 2, and 1 of 1
  Script script;
  script.operation = [] { return 1e-6; };
  script.clock = typical;
  const auto played = Player(*schedule, script).play();
  ASSERT_EQ(played.visits, 2);
  EXPECT_EQ(played.outcome.schedule.ops, 101);
  EXPECT_EQ(played.outcome.schedule.batches, 51);
  EXPECT_EQ(played.outcome.schedule.ops_per_batch, 2);
  EXPECT_DOUBLE_EQ(*played.outcome.schedule.clock_share, typical.cost_s / 2e-6);
}

TEST(fixed_schedule, exactly_that_many_operations_are_timed) {
  for (const std::uint64_t ops :
       {1U, 2U, 31U, 63U, 64U, 65U, 97U, 100U, 997U, 1000U, 1009U, 65537U, 1'000'003U}) {
    const auto schedule = fixed_schedule(ops, 3);
    History history;
    int visits = 0;
    for (Decision d = schedule->next(history); std::holds_alternative<Visit>(d);
         d = schedule->next(history)) {
      const Visit visit = std::get<Visit>(d);
      EXPECT_LE(visit.batches, 64U);
      EXPECT_EQ(visit.warmup, visits == 0 ? 3U : 0U);
      history.ops += visit.ops_per_batch * visit.batches;
      ASSERT_LE(++visits, 2);
    }
    EXPECT_EQ(history.ops, ops);
    EXPECT_EQ(std::get<Stop>(schedule->next(history)).why, StopReason::count);
  }
}

TEST(fixed_schedule, thousand_are_fifty_batches_of_twenty) {
  const auto visit = std::get<Visit>(fixed_schedule(1000, 0)->next({}));
  EXPECT_EQ(visit.batches, 50U);
  EXPECT_EQ(visit.ops_per_batch, 20U);
}

TEST(fixed_schedule, stop_request_ends_it) {
  History history;
  history.stop_requested = true;
  EXPECT_EQ(std::get<Stop>(fixed_schedule(10, 0)->next(history)).why, StopReason::interrupted);
}

TEST(fixed_schedule, no_operation_is_refused) {
  EXPECT_THROW(static_cast<void>(fixed_schedule(0, 0)), std::invalid_argument);
}

TEST(fixed_schedule, is_classic) {
  EXPECT_FALSE(fixed_schedule(10, 0)->interleaved());
  EXPECT_EQ(fixed_schedule(10, 0)->rule(), "fixed");
}

TEST(is_look, rounds_of_the_methodology) {
  std::vector<int> found;
  for (int r = 0; r < 100; ++r) {
    if (is_look(r)) found.push_back(r);
  }
  EXPECT_THAT(found, testing::ElementsAre(6, 8, 11, 16, 22, 32, 45, 64));
}

TEST(shuffled, is_a_permutation) {
  for (const std::size_t n : {0U, 1U, 2U, 24U, 64U}) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_THAT(shuffled(n, 1, 2, 3), UnorderedElementsAreArray(all));
  }
}

TEST(shuffled, depends_on_seed_block_and_round_only) {
  EXPECT_EQ(shuffled(24, 1, 2, 3), shuffled(24, 1, 2, 3));
  const std::set<std::vector<std::size_t>> orders{shuffled(24, 1, 2, 3), shuffled(24, 2, 2, 3),
                                                  shuffled(24, 1, 3, 3), shuffled(24, 1, 2, 4)};
  EXPECT_EQ(orders.size(), 4U);
}

TEST(shuffled, every_point_comes_first_about_equally_often) {
  std::vector<int> first(5, 0);
  for (std::uint64_t round = 0; round < 5000; ++round) ++first[shuffled(5, 7, 0, round)[0]];
  for (const int count : first) EXPECT_NEAR(count, 1000, 120);
}

}  // namespace
}  // namespace steelyard::measure
