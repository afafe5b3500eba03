// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "campaign/progress.hpp"
#include "fake_suite.hpp"

namespace steelyard::campaign {
namespace {

using testing::benchmark;
using ::testing::ElementsAre;
using testing::FakeSuite;

TEST(allowance, surplus_is_shared_equally_and_the_sum_is_the_time_left) {
  const Allowance allowance(10.0, {4.0, 3}, 100);
  const double sum = allowance.point_s(1) + allowance.point_s(1) + allowance.point_s(2);
  EXPECT_NEAR(sum, 10 * (1 - setup_share), 1e-12);
  EXPECT_NEAR(allowance.point_s(2) - allowance.point_s(1), 1, 1e-12);
}

TEST(allowance, surplus_goes_by_weight) {
  const Allowance allowance(10.0, {4.0, 4}, 100);
  EXPECT_NEAR(allowance.point_s(1, 3) + allowance.point_s(3, 1), 10 * (1 - setup_share), 1e-12);
  EXPECT_NEAR(allowance.point_s(1, 3) - 1, 3 * (allowance.point_s(3, 1) - 3), 1e-12);
}

TEST(allowance, too_little_time_cuts_all_minima_alike) {
  const Allowance allowance(2.0, {4.0, 2}, 100);
  EXPECT_NEAR(allowance.point_s(3) + allowance.point_s(1), 2 * (1 - setup_share), 1e-12);
  EXPECT_NEAR(allowance.point_s(3), 3 * allowance.point_s(1), 1e-12);
}

TEST(allowance, no_point_gets_more_than_its_limit_unless_its_minimum_is_more) {
  const Allowance allowance(1000.0, {4.0, 2}, 2);
  EXPECT_DOUBLE_EQ(allowance.point_s(1), 2);
  EXPECT_DOUBLE_EQ(allowance.point_s(3), 3);
}

TEST(allowance, without_budget_the_limit_of_a_point_counts) {
  EXPECT_DOUBLE_EQ(Allowance(std::nullopt, {4.0, 2}, 2).point_s(0.1), 2);
}

TEST(least_demand, classic_point_runs_its_operations_and_the_warm_up) {
  suites::PointPlan point;
  point.classic_operations = 1000;
  point.cost = {1e-6, 0, 1e9};
  EXPECT_DOUBLE_EQ(least_demand(point, {}).operations, 1002);
}

TEST(least_demand, adaptive_point_needs_fewer_visits_after_shrinking_and_long_operations_are_run_once) {
  suites::PointPlan point;
  point.cost = {1e-6, 0, 1e9};
  const MeasuringRule six{0.02, 6, 2}, three{0.02, 3, 2};
  EXPECT_GT(least_demand(point, six).seconds, 1.5 * least_demand(point, three).seconds);
  point.cost.latency_s = 30;
  EXPECT_NEAR(least_demand(point, six).operations, 1, 1e-6);
}

TEST(least_demand, prescribed_time_is_taken_as_it_is_under_every_schedule) {
  suites::PointPlan point;
  point.cost = {1e-6, 0, 1e9};
  point.prescribed_s = 7;
  EXPECT_DOUBLE_EQ(least_demand(point, {0.02, 6, 2}).seconds, 7);
  EXPECT_DOUBLE_EQ(least_demand(point, {}).seconds, 7);
}

TEST(allowance, prescribed_points_get_their_time_first_and_no_share_of_the_surplus) {
  suites::PointPlan prescribed, free;
  prescribed.prescribed_s = prescribed.minimum_s = 6;
  free.minimum_s = 1;
  Allowance::Remaining remaining;
  for (const auto* point : {&prescribed, &free, &free}) remaining.add(*point);
  EXPECT_DOUBLE_EQ(remaining.sum_s(), 8);
  const Allowance allowance(10.0, remaining, 100);
  EXPECT_DOUBLE_EQ(allowance.point_s(prescribed), 6);
  EXPECT_NEAR(6 + 2 * allowance.point_s(free), 10 * (1 - setup_share), 1e-12);
  EXPECT_DOUBLE_EQ(expected_s(prescribed, allowance, {0.02, 6, 2}), 6);
}

class work_that_remains : public ::testing::Test {
 protected:
  work_that_remains() {
    suite_.sizes = {0, 8, 64};
    options_.half_width = 0.05;
    options_.budget = Seconds{10};
    const std::vector<Selected> selected{{&suite_, "A"}, {&suite_, "B"}};
    plan_ = make_plan(selected, options_, "adaptive");
  }
  RemainingWork remaining(std::set<std::string> kept = {}) { return {plan_, {0.05, 6, 2}, std::move(kept)}; }

  FakeSuite suite_{"fake", {benchmark("A"), benchmark("B")}};
  PlanOptions options_;
  Plan plan_;
};

TEST_F(work_that_remains, kept_and_skipped_points_are_not_measured) {
  plan_.blocks[0].points[0].skip = record::ReasonCode::time;
  const RemainingWork remaining = this->remaining({plan_.blocks[0].points[1].key});
  EXPECT_THAT(remaining.to_measure(0), ElementsAre(2));
  EXPECT_EQ(remaining.points_kept(), 1u);
  EXPECT_DOUBLE_EQ(remaining.expected_s(plan_.blocks[0].points[1]), 0);
}

TEST_F(work_that_remains, time_that_was_not_used_goes_to_later_blocks) {
  const double minimum = plan_.blocks[1].points[0].minimum_s;
  EXPECT_GT(remaining().allowance(1, 9.0).point_s(minimum), remaining().allowance(0, 10.0).point_s(minimum));
}

/// Plays a campaign in which every point takes `pace` times what was planned, with noise, and compares what
/// is said to be left with what is left.
class estimate_of_time_left : public work_that_remains, public ::testing::WithParamInterface<double> {};

TEST_P(estimate_of_time_left, is_within_20_percent_from_a_third_of_the_run_on) {
  suite_.sizes = testing::usual_sizes();
  const std::vector<Selected> selected{{&suite_, "A"}, {&suite_, "B"}};
  options_.budget = Seconds{60};
  plan_ = make_plan(selected, options_, "adaptive");
  const RemainingWork remaining = this->remaining();
  std::mt19937_64 random(7);
  std::vector<double> taken;
  for (const auto& block : plan_.blocks)
    for (const auto& point : block.points)
      taken.push_back(remaining.expected_s(point) * GetParam() *
                      (0.85 + 0.3 * double(random() % 1000) / 1000));
  double left = 0;
  for (const double t : taken) left += t;

  Reporter reporter(nullptr, plan_, remaining);
  double elapsed = 0;
  std::size_t i = 0;
  for (const auto& block : plan_.blocks)
    for (const auto& point : block.points) {
      elapsed += taken[i];
      left -= taken[i++];
      reporter.point_ends(block, point, {}, taken[i - 1], elapsed);
      if (i < 3) {
        EXPECT_FALSE(reporter.state().left_s);
      }
      if (i >= taken.size() / 3 && i + 4 < taken.size()) {
        EXPECT_NEAR(reporter.state().left_s.value(), left, 0.2 * left) << "after point " << i;
      }
    }
  EXPECT_NEAR(reporter.state().left_s.value(), 0, 1e-9);
  EXPECT_EQ(reporter.state().done, reporter.state().total);
}

INSTANTIATE_TEST_SUITE_P(pace, estimate_of_time_left, ::testing::Values(0.55, 1.0, 1.9));

TEST_F(work_that_remains, stage_of_a_block_counts_as_points_and_tells_the_rest) {
  const RemainingWork remaining = this->remaining();
  Reporter reporter(nullptr, plan_, remaining);
  const auto& block = plan_.blocks[0];
  reporter.block_starts(block, 10);
  reporter.tick(11, suites::BlockProgress{0.0, "repetition 1 of 3, 1 byte"});
  EXPECT_FALSE(reporter.state().left_s);
  reporter.tick(20, suites::BlockProgress{0.4, "repetition 2 of 3, 1 byte"});
  EXPECT_EQ(reporter.state().done, 1u);  // 0.4 of 3 points
  EXPECT_EQ(reporter.state().point, "repetition 2 of 3, 1 byte");
  double own = 0, others = 0;
  for (const auto& point : block.points) own += remaining.expected_s(point);
  for (const auto& point : plan_.blocks[1].points) others += remaining.expected_s(point);
  EXPECT_NEAR(reporter.state().share, 0.4 * own / (own + others), 1e-9);
  EXPECT_NEAR(reporter.state().left_s.value(), 15 + others, 1e-9);
  for (const auto& point : block.points) reporter.point_ends(block, point, {}, 1, 35);
  EXPECT_EQ(reporter.state().done, 3u);
}

TEST_F(work_that_remains, elapsed_time_counts_from_the_start_of_the_program) {
  const RemainingWork remaining = this->remaining();
  Reporter counted(nullptr, plan_, remaining, 21), alone(nullptr, plan_, remaining);
  for (Reporter* reporter : {&counted, &alone}) {
    reporter->block_starts(plan_.blocks[0], 1);
    reporter->tick(9, suites::BlockProgress{0.4, "repetition 2 of 3, 1 byte"});
  }
  EXPECT_EQ(alone.state().elapsed_s, 9);
  EXPECT_EQ(counted.state().elapsed_s, 30);
  EXPECT_EQ(counted.state().left_s, alone.state().left_s);
  EXPECT_EQ(counted.state().share, alone.state().share);
}

TEST_F(work_that_remains, is_over_a_plan_of_milliseconds_when_it_took_a_second_longer) {
  plan_.longest_s = 2e-3;
  const RemainingWork remaining = this->remaining();
  Reporter reporter(nullptr, plan_, remaining);
  reporter.block_starts(plan_.blocks[0], 3);
  EXPECT_FALSE(reporter.state().over_plan);
  reporter.tick(3.9, {});
  EXPECT_FALSE(reporter.state().over_plan);
  reporter.tick(4.1, {});
  EXPECT_TRUE(reporter.state().over_plan);
}

TEST_F(work_that_remains, points_that_the_plan_leaves_out_are_no_part_of_the_progress) {
  auto& block = plan_.blocks[0];
  block.points[0].skip = record::ReasonCode::time;
  const RemainingWork remaining = this->remaining();
  Reporter reporter(nullptr, plan_, remaining);
  reporter.block_starts(block, 0);
  EXPECT_EQ(reporter.state().done, 0u);
  EXPECT_EQ(reporter.state().total, plan_.points() - 1);
  EXPECT_EQ(reporter.state().share, 0);
  for (auto& one : plan_.blocks)
    for (const auto& point : one.points)
      if (point.measurable()) reporter.point_ends(one, point, {}, 0.1, 1);
  EXPECT_EQ(reporter.state().share, 1);
}

TEST(allowance, a_point_with_less_than_its_minimum_is_expected_to_take_its_check_and_whole_visits) {
  const MeasuringRule rule{0.02, 4, 100};
  suites::PointPlan point;
  point.cost.latency_s = 1e-6;
  point.cost.visit_s = 1;
  point.cost.check_s = 3;
  point.minimum_s = least_demand(point, rule).seconds;
  EXPECT_NEAR(point.minimum_s, 3 + 4, 0.1);
  const auto expected = [&](double left_s) {
    Allowance::Remaining remaining;
    remaining.add(point);
    return expected_s(point, Allowance(left_s / (1 - setup_share), remaining, 100), rule);
  };
  EXPECT_NEAR(expected(6.5), 3 + 3, 0.1);
  EXPECT_NEAR(expected(5.5), 3 + 2, 0.1);
  EXPECT_NEAR(expected(0.5), 3 + 1, 0.1) << "the first visit is begun whatever is left";
  EXPECT_NEAR(expected(20), 18, 0.1);
}

/// A point whose check takes 3 s, with 4 visits of 0.2 ms at least.
class point_with_a_long_check : public ::testing::Test {
 protected:
  point_with_a_long_check() {
    point_.cost.latency_s = 1e-6;
    point_.cost.check_s = 3;
    plan();
  }
  void plan() { point_.minimum_s = least_demand(point_, rule_).seconds; }
  [[nodiscard]] double measuring_s(std::optional<double> left_s) const {
    Allowance::Remaining remaining;
    remaining.add(point_);
    return Allowance(left_s, remaining, rule_.point_limit_s).measuring_s(point_, rule_);
  }

  MeasuringRule rule_{0.02, 4, 2};
  suites::PointPlan point_;
};

TEST_F(point_with_a_long_check, measures_for_its_limit_at_most) {
  EXPECT_GT(point_.minimum_s, rule_.point_limit_s);
  EXPECT_DOUBLE_EQ(measuring_s(std::nullopt), 2);
  EXPECT_DOUBLE_EQ(measuring_s(100), 2);
}

TEST_F(point_with_a_long_check, measures_in_the_time_that_the_check_leaves) {
  EXPECT_NEAR(measuring_s(4 / (1 - setup_share)), 4 - 3, 1e-9);
  point_.cost.visit_s = 0.1;
  plan();
  EXPECT_NEAR(measuring_s(4 / (1 - setup_share)), 4 - 3 - 4 * 0.1, 1e-9);
}

TEST_F(point_with_a_long_check, measures_about_a_visit_where_the_check_leaves_nothing) {
  EXPECT_GT(measuring_s(1.0), 0.2e-3);
  EXPECT_LT(measuring_s(1.0), 1e-3);
}

TEST_F(point_with_a_long_check, keeps_its_limit_where_it_is_too_short_for_one_operation) {
  point_.cost.latency_s = 30;
  plan();
  EXPECT_DOUBLE_EQ(measuring_s(std::nullopt), 2);
}

TEST_F(point_with_a_long_check, has_its_time_where_that_is_prescribed) {
  point_.prescribed_s = point_.minimum_s = 7;
  EXPECT_DOUBLE_EQ(measuring_s(100), 7);
}

TEST(estimator, ratio_is_clamped_and_the_rest_is_never_negative) {
  Estimator estimator;
  EXPECT_DOUBLE_EQ(estimator.left_s(10), 10);
  estimator.finished(1, 100);
  EXPECT_DOUBLE_EQ(estimator.left_s(10), 20);
  estimator.finished(1, 0);
  estimator.finished(1, 0);
  for (int i = 0; i < 100; ++i) estimator.finished(1, 0.001);
  EXPECT_DOUBLE_EQ(estimator.left_s(10), 5);
  EXPECT_DOUBLE_EQ(estimator.left_s(-1), 0);
}

TEST(habits, of_a_suite_are_those_of_all_until_its_own_blocks_show_more) {
  Habits habits;
  const BlockTime block{.allowed_s = 10, .easy_s = 5};
  EXPECT_DOUBLE_EQ(habits.expected_s("nbc", block), 10);
  habits.finished("p2p", block, 2);
  EXPECT_DOUBLE_EQ(habits.expected_s("nbc", block), 2);
  for (int i = 0; i < 20; ++i) habits.finished("nbc", block, 9);
  EXPECT_NEAR(habits.expected_s("nbc", block), 9, 0.5);
  EXPECT_LT(habits.expected_s("p2p", block), habits.expected_s("nbc", block));
}

TEST(habits, points_that_are_long_even_where_they_are_easy_take_more_of_their_time) {
  Habits habits;
  for (int i = 0; i < 10; ++i) {
    habits.finished("ext", {.allowed_s = 10, .easy_s = 1}, 3);
    habits.finished("ext", {.allowed_s = 10, .easy_s = 6}, 10);
  }
  const auto expected = [&](double allowed_s, double easy_s) {
    return habits.expected_s("rma", {.allowed_s = allowed_s, .easy_s = easy_s});
  };
  EXPECT_NEAR(expected(10, 1), 3, 0.7);
  EXPECT_NEAR(expected(10, 6), 10, 0.7);
  EXPECT_NEAR(expected(20, 12), 20, 1.4);
  EXPECT_GT(expected(10, 0), 0);
  EXPECT_LE(expected(10, 100), 15) << "no block takes much more than it may have";
}

TEST(habits, a_schedule_of_its_own_is_expected_to_be_kept_until_a_block_of_the_suite_shows_more) {
  Habits habits;
  const BlockTime files{.allowed_s = 10, .easy_s = 10, .prescribed = true};
  const BlockTime messages{.allowed_s = 4, .easy_s = 1};
  habits.finished("mpi1", messages, 2);
  EXPECT_DOUBLE_EQ(habits.expected_s("b-eff-io", files), 10);
  habits.finished("b-eff-io", files, 7);
  EXPECT_DOUBLE_EQ(habits.expected_s("b-eff-io", files), 7);
  EXPECT_DOUBLE_EQ(habits.expected_s("mt", messages), 2);
}

}  // namespace
}  // namespace steelyard::campaign
