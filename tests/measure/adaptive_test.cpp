// SPDX-License-Identifier: Apache-2.0
// The adaptive rule played with scripted operations: what it plans, when it stops, and that its interval
// holds.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <variant>
#include <vector>

#include "measure/schedule.hpp"
#include "scripted_point.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

/// A rule that never finds its interval narrow enough, with a clock whose grid does not matter.
AdaptiveRule insatiable(double budget_s) {
  AdaptiveRule rule = rule_of(budget_s, 1e-9);
  rule.clock.step_s = 0;
  return rule;
}

Played play(const AdaptiveRule& rule, Script script) {
  const auto schedule = adaptive_schedule(rule);
  script.clock = rule.clock;
  return Player(*schedule, std::move(script)).play();
}

Script constant(double op_s) {
  return {.operation = [op_s] { return op_s; }};
}

/// Operations of 5 us with skewed noise, 2 % of them outliers, and a spread between visits.
class NoisyPoint {
 public:
  NoisyPoint(std::uint64_t seed, double noise, double visit_spread)
      : random_(seed), noise_(noise), visit_spread_(visit_spread) {}

  Script script() {
    return {.operation = [this] { return operation(); },
            .others = [this] { level_ = std::exp(visit_spread_ * visit_(random_)); }};
  }
  double operation() {
    const double outlier = unit_(random_) < 0.02 ? 1.5 + 3 * unit_(random_) : 1;
    return 5e-6 * level_ * std::exp(noise_ * normal_(random_)) * outlier;
  }

 private:
  std::mt19937_64 random_;
  double noise_, visit_spread_;
  std::normal_distribution<double> normal_, visit_;  // a width of zero is none that they take
  std::uniform_real_distribution<double> unit_{0, 1};
  double level_ = 1;
};

/// Median over visits and operations of such a point.
double true_median(double noise, double visit_spread) {
  NoisyPoint point(99, noise, visit_spread);
  const Script script = point.script();
  std::vector<double> values;
  for (int i = 0; i < 400'000; ++i) {
    script.others();
    values.push_back(point.operation());
  }
  return stats::median(std::move(values));
}

TEST(adaptive, quiet_point_stops_at_the_first_look) {
  const Played played = play(rule_of(2), constant(10e-6));
  EXPECT_EQ(played.stop.why, StopReason::ci);
  EXPECT_EQ(played.visits, 6);
  EXPECT_NEAR(*played.outcome.time.median, 10e-6, 1e-12);
}

TEST(adaptive, visits_are_planned_by_the_budget) {
  const Played played = play(rule_of(2), constant(10e-6));
  const Visit visit = played.asked.front();
  const double visit_s = 10e-6 * static_cast<double>(visit.batches * visit.ops_per_batch);
  EXPECT_NEAR(visit_s, 2.0 / 64, 0.001);
  EXPECT_LE(visit.batches, 64U + 1) << "64 visits stay within max_batches";
  EXPECT_EQ(visit.warmup, static_cast<std::uint64_t>(
                              std::ceil(0.05 * static_cast<double>(visit.batches * visit.ops_per_batch))));
}

TEST(adaptive, interval_too_narrow_for_any_clock_has_the_longest_batches) {
  AdaptiveRule rule = rule_of(2, 1e-30);
  rule.max_batches = 1 << 20;
  rule.clock = {.cost_s = 20e-9, .step_s = 1e-9};
  EXPECT_EQ(play(rule, constant(10e-6)).asked.front().ops_per_batch, 1000U) << "of 10 ms";
}

TEST(adaptive, short_budget_has_visits_of_a_fifth_of_a_millisecond) {
  const Played played = play(rule_of(3e-3), constant(1e-6));
  const Visit visit = played.asked.front();
  EXPECT_NEAR(1e-6 * static_cast<double>(visit.batches * visit.ops_per_batch), 0.2e-3, 5e-6);
}

TEST(adaptive, interrupted_trial_does_not_spoil_the_plan) {
  int operation = 0;
  const Played played = play(rule_of(20e-3), {.operation = [&] { return ++operation == 3 ? 5e-3 : 1e-6; }});
  EXPECT_DOUBLE_EQ(played.trials.front().seconds, 5e-3);
  const Visit last = played.asked.back();
  EXPECT_GT(last.batches * last.ops_per_batch, 200U);
  EXPECT_EQ(played.stop.why, StopReason::ci);
}

TEST(adaptive, long_operations_have_five_batches_of_one) {
  const Visit visit = play(rule_of(11e-3), constant(150e-6)).asked.front();
  EXPECT_EQ(visit.warmup, 2U);
  EXPECT_EQ(visit.ops_per_batch, 1U);
  EXPECT_EQ(visit.batches, 5U);
}

TEST(adaptive, large_message_is_warmed_up_by_two_operations) {
  AdaptiveRule rule = rule_of(2);
  rule.message_byte = 32 * 1024;
  EXPECT_EQ(play(rule, constant(10e-6)).asked.front().warmup, 2U);
  rule.message_byte = 32 * 1024 - 1;
  EXPECT_GT(play(rule, constant(10e-6)).asked.front().warmup, 2U);
}

TEST(adaptive, least_visits_are_honoured_while_they_fit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> magnitude(-8, -0.5), budget(-3, 1);
  for (int i = 0; i < 1000; ++i) {
    const double op_s = std::pow(10, magnitude(random)), budget_s = std::pow(10, budget(random));
    const auto k = static_cast<double>(ops_per_batch(op_s, 0.02, {}, 0));
    if (6 * (2 + 5 * k) * op_s > budget_s || budget_s / op_s > 2e5) continue;
    const Played played = play(rule_of(budget_s), constant(op_s));
    EXPECT_GE(played.visits, 6) << op_s << " s within " << budget_s;
  }
}

TEST(adaptive, budget_is_exceeded_by_one_batch_at_most) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> magnitude(-7.3, 1), budget(-3, 0.5);
  std::lognormal_distribution<double> noise(0, 0.03);
  for (int i = 0; i < 500; ++i) {
    const double op_s = std::pow(10, magnitude(random)), budget_s = std::pow(10, budget(random));
    if (budget_s / op_s > 1e5) continue;
    Script script{.operation = [&] { return op_s * noise(random); }};
    const Played played = play(insatiable(budget_s), std::move(script));
    EXPECT_LE(played.spent_s, budget_s + played.longest_batch_s) << op_s << " s within " << budget_s;
    EXPECT_GE(played.visits, 1);
  }
}

TEST(adaptive, budget_too_short_for_six_visits_makes_fewer_not_shorter_ones) {
  const Played played = play(insatiable(2), constant(9e-3 * 10));
  EXPECT_EQ(played.stop.why, StopReason::budget);
  EXPECT_EQ(played.visits, 1 + 2) << "the trial and two visits of 2 + 5 operations";
  for (const Visit& visit : played.asked) EXPECT_EQ(visit.batches, 5U);
}

TEST(adaptive, long_operations_fill_the_first_visit_as_far_as_they_fit) {
  const auto ops = [](double budget_s, double op_s) {
    const Played played = play(rule_of(budget_s), constant(op_s));
    EXPECT_EQ(played.stop.why, StopReason::budget);
    EXPECT_LE(played.spent_s, budget_s);
    return played.ops;
  };
  EXPECT_EQ(ops(2, 0.25), 5U);
  EXPECT_EQ(ops(1, 0.12), 5U);
  EXPECT_EQ(ops(2, 0.3), 4U);
  EXPECT_EQ(ops(2, 0.9), 1U) << "two operations have warmed up";
}

TEST(adaptive, operation_longer_than_the_budget_is_timed_once) {
  const Played played = play(rule_of(2), constant(10));
  EXPECT_EQ(played.stop.why, StopReason::budget);
  EXPECT_EQ(played.ops, 1U);
  EXPECT_EQ(played.visits, 1);
  EXPECT_DOUBLE_EQ(*played.outcome.time.median, 10);
}

TEST(adaptive, budget_shorter_than_one_operation_still_has_one_visit) {
  const Played played = play(rule_of(1e-3), constant(5e-3));
  EXPECT_EQ(played.ops, 1U);
  EXPECT_EQ(played.asked.front().warmup, 0U);
}

TEST(adaptive, most_visits_end_a_point_that_does_not_converge) {
  AdaptiveRule rule = insatiable(1);
  rule.max_visits = 10;
  rule.max_batches = 1'000'000;
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> noise(0, 0.3);
  rule.point_budget = Seconds{1};
  const Played played = play(rule, {.operation = [&] { return 50e-6 * noise(random); }});
  EXPECT_LE(played.visits, 10);
  EXPECT_TRUE(played.stop.why == StopReason::count || played.stop.why == StopReason::budget);
}

TEST(timed_schedule, stops_by_time_only) {
  AdaptiveRule rule;
  rule.run_for = Seconds{0.5};
  const Played played = play(rule, constant(10e-6));
  EXPECT_EQ(adaptive_schedule(rule)->rule(), "time_driven");
  EXPECT_EQ(played.stop.why, StopReason::time);
  EXPECT_GT(played.spent_s, 0.45);
  EXPECT_LE(played.spent_s, 0.5 + played.longest_batch_s);
}

class adaptive_coverage : public testing::TestWithParam<double> {};

TEST_P(adaptive_coverage, interval_holds_the_median_of_1000_points) {
  const double visit_spread = GetParam();
  const double truth = true_median(0.03, visit_spread);
  int covered = 0, converged = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    NoisyPoint point(seed, 0.03, visit_spread);
    const Played played = play(rule_of(20e-3), point.script());
    const auto& ci = played.outcome.time.ci;
    ASSERT_TRUE(ci);
    covered += ci->first <= truth && truth <= ci->second ? 1 : 0;
    converged += played.stop.why == StopReason::ci ? 1 : 0;
    EXPECT_LE(played.spent_s, 20e-3 + played.longest_batch_s);
    EXPECT_GE(played.visits, 6);
  }
  EXPECT_GE(covered, 930);
  EXPECT_GE(converged, 950);
}

INSTANTIATE_TEST_SUITE_P(visit_spread, adaptive_coverage, testing::Values(0.0, 0.01));

TEST(adaptive, two_states_are_separated) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> noise(0, 0.02);
  int visit = 0;
  const auto slow = [&] { return visit % 5 >= 3; };
  Script script{.operation = [&] { return (slow() ? 16e-6 : 10e-6) * noise(random); },
                .probe =
                    [&] {
                      return stats::Probe{slow() ? 105e-9 : 43e-9, {}, {}};
                    },
                .others = [&] { ++visit; }};
  const Played played = play(rule_of(0.1), std::move(script));
  EXPECT_NEAR(*played.outcome.time.median, 10e-6, 0.1e-6);
  ASSERT_EQ(played.outcome.states.size(), 2U);
  EXPECT_GE(played.outcome.states[0].visits, 6);
  EXPECT_NEAR(played.outcome.states[1].median, 16e-6, 0.16e-6);
}

/// The same point with and without a disturbance of 50 ms that begins with the third visit.
double median_with_burst(double budget_s, const std::function<double(double)>& slowed) {
  std::mt19937_64 random(8);
  std::lognormal_distribution<double> noise(0, 0.02);
  double now = 0, left = 0;
  int visit = 0;
  Script script{.operation =
                    [&] {
                      double op_s = 10e-6 * noise(random);
                      if (left > 0) {
                        const double disturbed_s = slowed(op_s);
                        left -= disturbed_s;
                        op_s = disturbed_s;
                      }
                      now += op_s;
                      return op_s;
                    },
                .others = [&] { left = ++visit == 3 ? 50e-3 : left; }};
  return *play(rule_of(budget_s), std::move(script)).outcome.time.median;
}

TEST(adaptive, burst_of_50_ms_changes_the_median_by_less_than_one_percent) {
  const auto none = [](double op_s) { return op_s; };
  const auto interrupted = [](double op_s) { return op_s + 50e-3; };
  const auto slow = [](double op_s) { return 3 * op_s; };
  for (const double budget_s : {0.2, 2.0}) {
    const double quiet_s = median_with_burst(budget_s, none);
    EXPECT_NEAR(median_with_burst(budget_s, interrupted), quiet_s, 0.01 * quiet_s);
    EXPECT_NEAR(median_with_burst(budget_s, slow), quiet_s, 0.01 * quiet_s);
  }
}

// Single answers of the adaptive rule to what is known about a point.

History converged_history() {
  static const std::vector<TrialResult> trials{{64, 64e-5}};
  History h;
  h.trials = trials;
  h.visits = h.dominant_visits = 6;
  h.batches = 300;
  h.ops = 3000;
  h.spent_s = 0.1;
  h.half_width = 0.015;
  h.median_op_s = 1e-5;
  return h;
}

std::optional<StopReason> stop_of(const AdaptiveRule& rule, const History& history) {
  const Decision decision = adaptive_schedule(rule)->next(history);
  const auto* stop = std::get_if<Stop>(&decision);
  return stop == nullptr ? std::nullopt : std::optional(stop->why);
}

TEST(adaptive_decision, narrow_interval_stops_at_looks_only) {
  History h = converged_history();
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::ci);
  h.visits = h.dominant_visits = 7;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.visits = h.dominant_visits = 8;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::ci);
}

TEST(adaptive_decision, wide_or_absent_interval_goes_on) {
  History h = converged_history();
  h.half_width = 0.021;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.half_width.reset();
  EXPECT_FALSE(stop_of(rule_of(2), h));
}

TEST(adaptive_decision, too_few_batches_go_on) {
  History h = converged_history();
  h.batches = 7;
  EXPECT_FALSE(stop_of(rule_of(2), h));
}

TEST(adaptive_decision, shrunk_rule_stops_after_three_visits) {
  AdaptiveRule rule = rule_of(2);
  rule.min_visits = 3;
  History h = converged_history();
  h.visits = h.dominant_visits = 3;
  EXPECT_EQ(stop_of(rule, h), StopReason::ci);
}

TEST(adaptive_decision, point_in_several_states_is_extended_by_six_visits) {
  History h = converged_history();
  h.dominant_visits = 4;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.visits = 11;
  h.dominant_visits = 5;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.visits = 12;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::ci);
}

TEST(adaptive_decision, states_extend_also_the_most_visits) {
  AdaptiveRule rule = rule_of(2);
  rule.max_visits = 6;
  History h = converged_history();
  h.half_width = 0.5;
  EXPECT_EQ(stop_of(rule, h), StopReason::count);
  h.dominant_visits = 3;
  EXPECT_FALSE(stop_of(rule, h));
  h.visits = 12;
  EXPECT_EQ(stop_of(rule, h), StopReason::count);
}

TEST(adaptive_decision, mostly_preempted_point_goes_on_to_the_budget) {
  History h = converged_history();
  h.mostly_preempted = true;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.visits = h.dominant_visits = 64;
  h.half_width = 0.5;
  EXPECT_FALSE(stop_of(rule_of(2), h));
  h.spent_s = 2;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::budget);
}

Visit first_visit(const AdaptiveRule& rule, double op_s, double between_s) {
  const std::vector<TrialResult> trials{{1, 1.0}, {65536, 65536 * op_s}};
  History h;
  h.trials = trials;
  h.between_s = between_s;
  return std::get<Visit>(adaptive_schedule(rule)->next(h));
}

TEST(adaptive_decision, synchronisation_before_each_operation_is_planned_for) {
  const AdaptiveRule rule = rule_of(0.15, 0.05);
  const Visit visit = first_visit(rule, 9e-9, 300e-9);
  const auto ops = static_cast<double>(visit.warmup + visit.batches * visit.ops_per_batch);
  EXPECT_LE(ops * 309e-9, 0.15 / rule.min_visits);
  EXPECT_GE(visit.batches, rule.batches_per_visit);
  // the batch is as long as the clock needs for the operation itself
  EXPECT_GE(static_cast<double>(visit.ops_per_batch) * 9e-9, 100 * rule.clock.cost_s * 0.999);
}

TEST(adaptive_decision, slow_synchronisation_does_not_make_batches_longer_than_10_ms) {
  EXPECT_EQ(first_visit(rule_of(2), 9e-9, 1e-3).ops_per_batch, 9U);
  EXPECT_EQ(first_visit(rule_of(2), 9e-9, 20e-3).ops_per_batch, 1U);
}

TEST(adaptive_decision, spent_budget_stops_before_the_least_visits) {
  History h = converged_history();
  h.visits = h.dominant_visits = 3;
  h.spent_s = 1.99999;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::budget);
}

TEST(adaptive_decision, operations_slower_than_the_trial_shorten_the_visit) {
  History h = converged_history();
  h.half_width = 0.5;
  h.median_op_s = 1e-3;
  h.ops = 100;
  const Decision decision = adaptive_schedule(rule_of(2))->next(h);
  const Visit visit = std::get<Visit>(decision);
  EXPECT_LE(1e-3 * static_cast<double>(visit.batches * visit.ops_per_batch), 0.04);
}

TEST(adaptive_decision, most_batches_stop_by_count) {
  History h = converged_history();
  h.half_width = 0.5;
  h.batches = 4096;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::count);
}

TEST(adaptive_decision, stop_request_comes_first) {
  History h;
  h.stop_requested = true;
  EXPECT_EQ(stop_of(rule_of(2), h), StopReason::interrupted);
}

TEST(adaptive_decision, rule_without_meaning_is_refused) {
  EXPECT_THROW(static_cast<void>(adaptive_schedule(rule_of(0))), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(adaptive_schedule(rule_of(2, 0))), std::invalid_argument);
  AdaptiveRule rule = rule_of(2);
  rule.max_visits = 5;
  EXPECT_THROW(static_cast<void>(adaptive_schedule(rule)), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::measure
