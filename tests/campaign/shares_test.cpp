// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/budget.hpp"
#include "fake_suite.hpp"

namespace steelyard::campaign {
namespace {

using testing::benchmark;
using testing::FakeSuite;

class shares_of_a_budget : public ::testing::Test {
 protected:
  FakeSuite hpcc_{"hpcc", {benchmark("HPL"), benchmark("PTRANS")}};
  FakeSuite beff_{"b-eff", {benchmark("b_eff")}};
  FakeSuite other_{"new", {benchmark("x")}};
  std::vector<Selected> all_{{&hpcc_, "HPL"}, {&beff_, "b_eff"}, {&hpcc_, "PTRANS"}, {&other_, "x"}};

  static double sum(const Shares& shares) {
    double seconds = 0;
    for (const auto& [suite, share] : shares) seconds += share.time.seconds;
    return seconds;
  }
  /// Of suites that can use any time.
  static Shares any(std::span<const Selected> selected, double budget_s) {
    return shares(selected, Seconds{budget_s}, [](auto, auto) { return std::nullopt; });
  }
  /// Of one suite with this range, the others can use any time.
  Shares with(std::string_view one, double least_s, double most_s) const {
    return shares(all_, Seconds{60}, [=](std::string_view suite, auto) {
      return suite == one ? std::optional(suites::TimeRange{least_s, most_s}) : std::nullopt;
    });
  }
};

TEST_F(shares_of_a_budget, sum_to_less_than_the_budget_and_hold_the_benchmarks) {
  const auto three = any(all_, 60);
  EXPECT_EQ(three.size(), 3u);
  EXPECT_LT(sum(three), 60);
  EXPECT_GT(sum(three), 0.9 * 60);
  EXPECT_THAT(three.at("hpcc").benchmarks, ::testing::ElementsAre("HPL", "PTRANS"));
  EXPECT_GT(three.at("hpcc").time.seconds, three.at("b-eff").time.seconds);
  EXPECT_GT(three.at("new").time.seconds, 0);
}

TEST(suite_so_far, is_late_where_the_block_would_take_it_beyond_its_plan) {
  // three runs of 10 s each
  EXPECT_FALSE(is_late({.planned_s = 30, .taken_s = 10, .planned_of_done_s = 10, .next_s = 10}));
  EXPECT_FALSE(is_late({.planned_s = 30, .taken_s = 22, .planned_of_done_s = 20, .next_s = 10}));
  EXPECT_TRUE(is_late({.planned_s = 30, .taken_s = 18, .planned_of_done_s = 10, .next_s = 10}));
  // what is still needed is kept free for: tests took three times as long
  EXPECT_TRUE(
      is_late({.planned_s = 286, .taken_s = 106, .planned_of_done_s = 35, .needed_s = 190, .next_s = 20}));
  EXPECT_FALSE(
      is_late({.planned_s = 286, .taken_s = 40, .planned_of_done_s = 35, .needed_s = 190, .next_s = 20}));
  EXPECT_FALSE(is_late({.planned_s = 10, .taken_s = 2, .planned_of_done_s = 5, .next_s = 5}));
}

TEST_F(shares_of_a_budget, of_suites_that_are_not_selected_go_to_the_others) {
  const std::vector<Selected> one{{&beff_, "b_eff"}};
  EXPECT_GT(any(one, 60).at("b-eff").time.seconds, any(all_, 60).at("b-eff").time.seconds);
  EXPECT_DOUBLE_EQ(sum(any(one, 60)), sum(any(all_, 60)));
}

TEST_F(shares_of_a_budget, of_a_short_one_are_most_of_it) {
  EXPECT_EQ(sum(any(all_, 0)), 0);
  EXPECT_GT(sum(any(all_, 0.1)), 0.08);
  EXPECT_LT(sum(any(all_, 0.1)), 0.1);
}

TEST_F(shares_of_a_budget, what_a_suite_cannot_use_goes_to_the_others) {
  const auto little = with("hpcc", 1, 2);
  EXPECT_DOUBLE_EQ(little.at("hpcc").time.seconds, 2);
  EXPECT_DOUBLE_EQ(sum(little), sum(any(all_, 60)));
}

TEST_F(shares_of_a_budget, what_a_suite_needs_at_least_comes_from_the_others) {
  const auto much = with("b-eff", 25, 500);
  EXPECT_GT(25, any(all_, 60).at("b-eff").time.seconds);
  EXPECT_DOUBLE_EQ(much.at("b-eff").time.seconds, 25);
  EXPECT_DOUBLE_EQ(sum(much), sum(any(all_, 60)));
  EXPECT_GT(much.at("hpcc").time.seconds, 0);
}

TEST(divided_time, that_some_cannot_use_raises_one_above_its_least) {
  // hpcc, b-eff and ftio are at their most; b-eff-io, which had less than its least before, takes what they leave.
  const auto seconds =
      divided({{"hpcc", {5, 20}}, {"b-eff", {3, 10}}, {"b-eff-io", {15, 900}}, {"ftio", {2, 6}}}, 60);
  EXPECT_DOUBLE_EQ(seconds.at("hpcc"), 20);
  EXPECT_DOUBLE_EQ(seconds.at("b-eff"), 10);
  EXPECT_DOUBLE_EQ(seconds.at("b-eff-io"), 24);
  EXPECT_DOUBLE_EQ(seconds.at("ftio"), 6);
}

TEST(divided_time, that_the_least_of_one_takes_leaves_others_below_their_most) {
  // b-eff-io lacks more than ftio leaves: first it gets its least, then ftio has its part of the rest.
  const auto seconds = divided({{"hpcc", {1, 900}}, {"b-eff-io", {30, 900}}, {"ftio", {1, 8}}}, 60);
  EXPECT_DOUBLE_EQ(seconds.at("b-eff-io"), 30);
  EXPECT_DOUBLE_EQ(seconds.at("hpcc") + seconds.at("ftio"), 30);
  EXPECT_LT(seconds.at("ftio"), 8);
}

TEST_F(shares_of_a_budget, no_suite_takes_most_of_it_for_its_least) {
  const auto dear = with("b-eff", 45, 500);
  EXPECT_DOUBLE_EQ(dear.at("b-eff").time.seconds, any(all_, 60).at("b-eff").time.seconds);
}

TEST_F(shares_of_a_budget, that_does_not_hold_the_least_of_all_are_in_proportion) {
  const auto short_of = with("hpcc", 100, 500);
  EXPECT_DOUBLE_EQ(short_of.at("hpcc").time.seconds, any(all_, 60).at("hpcc").time.seconds);
  EXPECT_GT(short_of.at("hpcc").time.budget_for(100), 60);
}

}  // namespace
}  // namespace steelyard::campaign
