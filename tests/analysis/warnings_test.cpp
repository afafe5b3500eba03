// SPDX-License-Identifier: Apache-2.0
#include "analysis/warnings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace steelyard::analysis {
namespace {

using record::Severity;

record::PointRecord point(const std::string& key, double low = 0.99, double high = 1.01) {
  record::PointRecord one;
  one.key = key;
  one.suite = "imb-mpi1";
  one.benchmark = "PingPong";
  one.primary = "time_s";
  record::Statistics time;
  time.median = 1.0;
  time.ci = {low, high};
  one.metrics = {{"time_s", time}};
  return one;
}

record::EventRecord event(Severity severity, const std::string& code, const std::string& text) {
  return {severity, code, text};
}

using Lines = std::vector<std::string>;

TEST(doubts, narrow_interval_without_flags_has_none) {
  EXPECT_EQ(doubts_in_words(point("a")), "");
}

TEST(doubts, wide_interval_is_told_with_its_width) {
  EXPECT_EQ(doubts_in_words(point("a", 0.79, 1.19)), "");
  EXPECT_EQ(doubts_in_words(point("a", 0.5, 1.1)), "+-30 %");
  EXPECT_EQ(doubts_in_words(point("a", 0.9, 5.12)), "+-211 %");
}

TEST(doubts, interval_of_the_time_speaks_for_a_rate_without_one) {
  auto rate = point("a", 0.5, 1.5);
  rate.primary = "flop_rate_flop_s";
  rate.metrics.insert(rate.metrics.begin(), {"flop_rate_flop_s", 2e9});
  EXPECT_EQ(doubts_in_words(rate), "+-50 %");
}

TEST(doubts, a_rate_beside_its_time_has_the_width_of_its_own_interval) {
  auto both = point("a", 0.9, 4.6);
  record::Statistics rate;
  rate.median = 7e9;
  rate.ci = {7e9 / 4.6, 7e9 / 0.9};
  both.metrics.emplace_back("bandwidth_byte_s", rate);
  EXPECT_EQ(doubts_in_words(both), "+-185 %");
  EXPECT_EQ(doubts_in_words(both, "bandwidth_byte_s"), "+-45 %");
  both.metrics.back().second = 7e9;  // without one of its own that which follows from the time
  EXPECT_EQ(standing_in_words(both, "bandwidth_byte_s"), "+-45 %");
}

TEST(doubts, flags_that_bear_on_the_value_stand_beside_it) {
  auto one = point("a");
  one.flags = {"computation_disturbed", "clock_corrected", "rate_and_time_disagree", "page_faults"};
  EXPECT_EQ(doubts_in_words(one), "rate and time disagree, computation disturbed");
  one.verified = false;
  EXPECT_EQ(standing_in_words(one), "wrong data, rate and time disagree, computation disturbed");
}

/// Rates of experiments and medians of nodes are of all visits, whatever the states.
TEST(doubts, several_states_say_nothing_of_the_value) {
  EXPECT_EQ(warned_as("mixed_states"), "several states of the machine, none of them in 80 % of the visits");
}

/// Points of so many visits whose medians are first_s, second_s, first_s, ... in runs of so many.
Lines told_of_visits(std::size_t points, std::size_t visits, std::size_t run) {
  Warnings warnings;
  for (std::size_t p = 0; p < points; ++p) {
    auto one = point(std::to_string(p));
    auto& time = std::get<record::Statistics>(one.metrics.front().second);
    for (std::size_t v = 0; v < visits; ++v) time.visit_medians.push_back((v + p) / run % 2 == 0 ? 1.0 : 1.1);
    warnings.point(one);
  }
  return warnings.lines();
}

TEST(warnings, visits_that_resemble_those_before_them_are_told) {
  const Lines told = told_of_visits(20, 16, 4);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(
      told.front(),
      "successive visits of a point resemble each other (correlation 0.71 over 20 points): intervals hold less "
      "often than in 95 %");
  EXPECT_TRUE(told_of_visits(20, 16, 1).empty());  // each is unlike the one before it
  EXPECT_TRUE(told_of_visits(20, 5, 4).empty());   // too few to tell
  EXPECT_TRUE(told_of_visits(1, 8, 4).empty());
}

TEST(warnings, visits_at_random_are_no_matter) {
  std::mt19937_64 draw(3);
  std::normal_distribution<double> scatter(0, 0.05);
  for (const double rho : {0.0, 0.2, 0.6}) {
    Warnings warnings;
    for (int p = 0; p < 60; ++p) {
      auto one = point(std::to_string(p));
      auto& time = std::get<record::Statistics>(one.metrics.front().second);
      double at = scatter(draw);
      for (int v = 0; v < 11; ++v) {
        at = rho * at + std::sqrt(1 - rho * rho) * scatter(draw);
        time.visit_medians.push_back(std::exp(at));
      }
      warnings.point(one);
    }
    EXPECT_EQ(warnings.count(), rho > 0.5 ? 1 : 0) << rho;
  }
}

TEST(intervals, keep_both_of_their_ends) {
  const auto of_time = relative_interval(point("a", 0.8, 2), "time_s");
  ASSERT_TRUE(of_time);
  EXPECT_DOUBLE_EQ(of_time->low, 0.8 - 1);
  EXPECT_DOUBLE_EQ(of_time->high, 1);
  const auto of_rate = relative_interval(point("a", 0.8, 2), "bandwidth_byte_s");
  ASSERT_TRUE(of_rate);
  EXPECT_DOUBLE_EQ(of_rate->low, -0.5);
  EXPECT_DOUBLE_EQ(of_rate->high, 0.25);
  EXPECT_FALSE(relative_interval(point("a", 0.8, 2), "latency_s"));
  EXPECT_FALSE(relative_interval(point("a", 0, 2), "bandwidth_byte_s"));
}

TEST(doubts, flags_are_told_in_words_and_the_gravest_first) {
  auto one = point("a");
  one.flags = {"few_visits", "noisy", "oversubscribed", "smaller_than_the_rules_ask", "cache_warm"};
  EXPECT_EQ(doubts_in_words(one), "smaller than the rules ask, more processes than cores, noisy");
}

TEST(doubts, point_without_values_has_none) {
  auto one = point("a", 0.1, 3);
  one.flags = {"noisy"};
  one.status = record::Status::failed;
  EXPECT_TRUE(doubts(one).empty());
}

TEST(warnings, the_same_sentence_counts_once_and_notes_not_at_all) {
  Warnings warnings;
  warnings.event(event(Severity::info, "no_isolation", "no processors are kept free"));
  warnings.event(event(Severity::warning, "unpinned", "processes are\nnot bound"));
  warnings.event(event(Severity::warning, "unpinned", "processes are\nnot bound"));
  warnings.event(event(Severity::error, "mpi_error", "a call failed"));
  EXPECT_EQ(warnings.count(), 2);
  EXPECT_EQ(warnings.lines(), (Lines{"processes are not bound", "a call failed"}));
}

TEST(warnings, many_of_a_kind_are_cut_short_and_counted) {
  Warnings warnings;
  for (const char* text : {"a", "b", "c", "d", "e"})
    warnings.event(event(Severity::warning, "point_failed", text));
  EXPECT_EQ(warnings.count(), 5);
  EXPECT_EQ(warnings.lines(), (Lines{"a", "b", "c (and 2 more like it)"}));
}

TEST(warnings, doubts_about_points_are_one_line_a_kind) {
  Warnings warnings;
  auto noisy = point("b");
  noisy.flags = {"noisy", "few_visits"};
  warnings.point(point("a", 0.2, 3));
  warnings.point(noisy);
  warnings.point(point("c"));
  ASSERT_EQ(warnings.lines().size(), 2U);
  EXPECT_EQ(warnings.points_in_doubt(), (std::pair<std::int64_t, std::int64_t>{2, 3}));
  EXPECT_EQ(warnings.lines()[0], "95 % interval wider than +-20 %: 1 of 3 points");
  EXPECT_TRUE(warnings.lines()[1].starts_with("noisy, "));
  EXPECT_TRUE(warnings.lines()[1].ends_with(": 1 of 3 points"));
}

TEST(warnings, a_point_that_is_measured_again_counts_by_its_last_record) {
  Warnings warnings;
  warnings.point(point("a", 0.2, 3));
  warnings.point(point("a"));
  EXPECT_EQ(warnings.count(), 0);
}

TEST(warnings, size_that_does_not_stand_for_the_machine_is_told_with_its_condition) {
  Warnings warnings;
  auto small = point("a");
  small.suite = "hpcc";
  small.benchmark = "HPL";
  small.flags = {"not_representative"};
  small.classic = {{"condition", "order 320 where 4800 or more stand for this machine"}};
  warnings.point(small);
  EXPECT_EQ(warnings.lines(), (Lines{"hpcc/HPL does not stand for this machine: order 320 where 4800 or more "
                                     "stand for this machine"}));
}

}  // namespace
}  // namespace steelyard::analysis
