// SPDX-License-Identifier: Apache-2.0
// Single answers of the adaptive rule to what is known about a point.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <variant>
#include <vector>

#include "measure/schedule.hpp"
#include "scripted_point.hpp"

namespace steelyard::measure {
namespace {

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
