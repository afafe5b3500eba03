// SPDX-License-Identifier: Apache-2.0
#include "stats/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stats/compare.hpp"

namespace steelyard::stats {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<double> counting(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 1; i <= n; ++i) values.push_back(static_cast<double>(i));
  return values;
}

TEST(quantile, ten_digits_of_pi) {
  const auto x = sorted({3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  EXPECT_DOUBLE_EQ(quantile(x, 0.05), 1);
  EXPECT_DOUBLE_EQ(quantile(x, 0.25), 2.25);
  EXPECT_DOUBLE_EQ(quantile(x, 0.50), 3.5);
  EXPECT_DOUBLE_EQ(quantile(x, 0.75), 5);
  EXPECT_DOUBLE_EQ(quantile(x, 0.95), 7.65);
  EXPECT_NEAR(quantile(x, 0.99), 8.73, 1e-12);
}

TEST(quantile, ends_are_the_extremes_and_one_value_is_all) {
  EXPECT_DOUBLE_EQ(quantile(counting(7), 0), 1);
  EXPECT_DOUBLE_EQ(quantile(counting(7), 1), 7);
  EXPECT_DOUBLE_EQ(quantile(counting(1), 0.3), 1);
}

TEST(median, any_order_odd_and_even) {
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(median_interval_rank, table_of_the_methodology) {
  const std::vector<std::pair<std::size_t, std::size_t>> table{
      {6, 1},  {7, 1},  {8, 1},  {9, 2},  {11, 2}, {12, 3},  {14, 3},  {15, 4},  {16, 4},
      {17, 5}, {19, 5}, {20, 6}, {22, 6}, {25, 8}, {30, 10}, {50, 18}, {100, 40}};
  for (const auto& [n, l] : table) EXPECT_EQ(median_interval_rank(n), l) << n;
}

TEST(median_interval_rank, nothing_for_five_values_or_fewer) {
  for (std::size_t n = 0; n <= 5; ++n) EXPECT_EQ(median_interval_rank(n), std::nullopt) << n;
}

/// Prob(x_(l) <= median <= x_(n-l+1)) = sum of the binomial terms l..n-l, by Pascal's triangle.
double coverage(std::size_t n, std::size_t l) {
  std::vector<double> row{1};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      next[j] += row[j] / 2;
      next[j + 1] += row[j] / 2;
    }
    row = std::move(next);
  }
  double sum = 0;
  for (std::size_t j = l; j + l <= n; ++j) sum += row[j];
  return sum;
}

TEST(median_interval_rank, is_the_narrowest_that_covers_95_percent) {
  for (std::size_t n = 6; n <= 200; ++n) {
    const auto l = median_interval_rank(n).value();
    EXPECT_GE(coverage(n, l), 0.95) << n;
    EXPECT_LT(coverage(n, l + 1), 0.95) << n;
  }
}

TEST(median_interval_rank, beyond_200_by_the_normal_formula) {
  for (const std::size_t n : {201u, 1000u, 4096u}) {
    const double count = static_cast<double>(n);
    EXPECT_EQ(median_interval_rank(n), static_cast<std::size_t>((count - 1.96 * std::sqrt(count)) / 2)) << n;
  }
}

TEST(median_interval_rank, higher_level_is_wider) {
  EXPECT_EQ(median_interval_rank(7, 0.99), std::nullopt);
  EXPECT_EQ(median_interval_rank(8, 0.99), 1u);
  EXPECT_LT(median_interval_rank(1000, 0.99).value(), median_interval_rank(1000, 0.95).value());
}

TEST(median_interval, is_made_of_order_statistics) {
  EXPECT_EQ(median_interval(counting(6)), (Interval{1, 6}));
  EXPECT_EQ(median_interval(counting(20)), (Interval{6, 15}));
  EXPECT_EQ(median_interval(counting(5)), std::nullopt);
}

TEST(launch_interval, is_the_union_of_batches_and_visits) {
  const auto batches = counting(30);  // ranks 10 and 21
  const auto result = launch_interval(batches, {8, 12, 14, 15, 16, 18}, 0);
  EXPECT_EQ(result.batches, (Interval{10, 21}));
  EXPECT_EQ(result.visits, (Interval{8, 18}));
  EXPECT_EQ(result.both, (Interval{8, 21}));
}

TEST(launch_interval, five_visits_leave_the_batches_alone) {
  const auto result = launch_interval(counting(30), {1, 2, 3, 4, 5}, 0);
  EXPECT_EQ(result.visits, std::nullopt);
  EXPECT_EQ(result.both, (Interval{10, 21}));
}

TEST(launch_interval, is_not_narrower_than_the_grid) {
  const std::vector<double> equal(40, 7.0);
  const auto result = launch_interval(equal, {7, 7, 7, 7, 7, 7}, 0.25);
  EXPECT_EQ(result.batches, (Interval{7, 7}));
  EXPECT_EQ(result.both, (Interval{6.75, 7.25}));
}

TEST(launch_interval, nothing_from_too_few_values) {
  const auto result = launch_interval(counting(4), {2.5}, 0.5);
  EXPECT_EQ(result.batches, std::nullopt);
  EXPECT_EQ(result.both, std::nullopt);
}

TEST(relative_half_width, of_an_interval) {
  EXPECT_DOUBLE_EQ(relative_half_width({9, 11}, 10), 0.1);
}

TEST(autocorrelation, alternating_values_are_negative_and_runs_positive) {
  const std::vector<std::vector<double>> alternating{{1, 2, 1, 2, 1, 2, 1, 2}};
  const std::vector<std::vector<double>> runs{{1, 1, 1, 1, 2, 2, 2, 2}};
  EXPECT_DOUBLE_EQ(autocorrelation(alternating), -7.0 / 8);
  EXPECT_DOUBLE_EQ(autocorrelation(runs), 5.0 / 8);
}

TEST(autocorrelation, a_shift_between_visits_is_none_within_them) {
  const std::vector<std::vector<double>> visits{{1, 2, 1, 2}, {101, 102, 101, 102}};
  EXPECT_DOUBLE_EQ(autocorrelation(visits), -0.75);
}

TEST(autocorrelation, undefined_is_zero) {
  EXPECT_EQ(autocorrelation({}), 0);
  const std::vector<std::vector<double>> constant{{3, 3, 3}, {}};
  EXPECT_EQ(autocorrelation(constant), 0);
}

TEST(disturbed_share, judges_by_the_own_visit) {
  std::vector<double> visit = counting(20);  // quartiles 5.75 and 15.25: limit 43.75
  visit.back() = 43.7;
  const std::vector<std::vector<double>> calm{visit};
  EXPECT_EQ(disturbed_share(calm), 0);
  visit.back() = 43.8;
  const std::vector<std::vector<double>> two{visit, counting(20)};
  EXPECT_DOUBLE_EQ(disturbed_share(two), 1.0 / 40);
  EXPECT_EQ(disturbed_share({}), 0);
}

TEST(thin, keeps_all_or_an_even_selection) {
  EXPECT_THAT(thin(counting(3), 5), ElementsAre(1, 2, 3));
  EXPECT_THAT(thin(counting(8), 4), ElementsAre(1, 3, 5, 7));
  EXPECT_EQ(thin(counting(1001), 32).size(), 32u);
  EXPECT_TRUE(thin(counting(3), 0).empty());
}

TEST(geometric_mean, of_powers) {
  const std::vector<double> values{1, 10, 100};
  EXPECT_THAT(geometric_mean(values), DoubleNear(10, 1e-12));
}

TEST(geometric_mean, refuses_what_has_no_logarithm) {
  const std::vector<double> zero{1, 0}, none;
  EXPECT_THROW(static_cast<void>(geometric_mean(zero)), std::domain_error);
  EXPECT_THROW(static_cast<void>(geometric_mean(none)), std::domain_error);
}

TEST(moments, small_example) {
  Moments m;
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) m.add(x);
  EXPECT_EQ(m.count(), 8u);
  EXPECT_DOUBLE_EQ(m.mean(), 5);
  EXPECT_DOUBLE_EQ(m.sd(), std::sqrt(32.0 / 7));
  EXPECT_EQ(m.min(), 2);
  EXPECT_EQ(m.max(), 9);
}

TEST(moments, none_and_one_have_no_spread) {
  Moments m;
  EXPECT_EQ(m.count(), 0u);
  EXPECT_EQ(m.sd(), 0);
  m.add(-3);
  EXPECT_EQ(m.mean(), -3);
  EXPECT_EQ(m.sd(), 0);
  EXPECT_EQ(m.max(), -3);
}

TEST(moments, small_spread_on_a_large_mean_survives) {
  Moments m;
  for (int i = 0; i < 1000; ++i) m.add(1e9 + (i % 2));
  EXPECT_NEAR(m.sd(), std::sqrt(250.0 / 999), 1e-9);
}

TEST(student, quantiles_are_those_of_the_printed_tables) {
  EXPECT_NEAR(student95(1), 12.706, 5e-4);
  EXPECT_NEAR(student95(2), 4.303, 5e-4);
  EXPECT_NEAR(student95(3), 3.182, 5e-4);
  EXPECT_NEAR(student95(8), 2.306, 5e-4);
  EXPECT_NEAR(student95(30), 2.042, 5e-4);
  EXPECT_NEAR(student95(1000), 1.962, 5e-4);
  EXPECT_NEAR(student(1, 0.99), 63.657, 5e-4);
  EXPECT_NEAR(student(5, 0.99), 4.032, 5e-4);
  EXPECT_NEAR(student(2, 0.999), 31.599, 5e-4);
  EXPECT_NEAR(student(3, 0.5), 0.765, 5e-4);
}

TEST(student, probabilities_of_both_tails) {
  EXPECT_DOUBLE_EQ(student_two_sided(0, 5), 1);
  EXPECT_NEAR(student_two_sided(1, 1), 0.5, 1e-12);
  EXPECT_NEAR(student_two_sided(3.355, 8), 0.01, 1e-5);
  EXPECT_NEAR(student_two_sided(-3.250, 9), 0.01, 1e-5);
  EXPECT_NEAR(student_two_sided(9.925, 2), 0.01, 1e-5);
  EXPECT_LT(student_two_sided(1e9, 4), 1e-12);
}

constexpr int launches = 4000;
constexpr double skew = 0.03;           // noise of a batch: log-normal
constexpr double outlier_share = 0.02;  // and a few batches that cost 30 % more

/// Scripted launches: visits share a shift (placement, frequency, neighbours), batches have noise of their
/// own.
class Launches {
 public:
  explicit Launches(double visit_sd) : visit_sd_(visit_sd) {}

  struct Launch {
    std::vector<double> ascending, visit_medians;
  };

  Launch next(int visits, int batches) {
    Launch launch;
    for (int v = 0; v < visits; ++v) {
      const double shift = 1 + visit_sd_ * normal_(random_);
      std::vector<double> values;
      for (int b = 0; b < batches; ++b) values.push_back(shift * batch());
      launch.ascending.insert(launch.ascending.end(), values.begin(), values.end());
      launch.visit_medians.push_back(median(std::move(values)));
    }
    std::sort(launch.ascending.begin(), launch.ascending.end());
    return launch;
  }

 private:
  double batch() {
    const double noise = std::exp(skew * normal_(random_));
    return uniform_(random_) < outlier_share ? 1.3 * noise : noise;
  }

  double visit_sd_;
  std::mt19937_64 random_{2008};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

/// Median of one batch without shift: solves 0.98 F(x) + 0.02 F(x / 1.3) = 1/2 by bisection.
double true_median() {
  const auto below = [](double x) { return 0.5 * std::erfc(-std::log(x) / skew / std::sqrt(2.0)); };
  double low = 0.9, high = 1.1;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    const double share = (1 - outlier_share) * below(x) + outlier_share * below(x / 1.3);
    (share < 0.5 ? low : high) = x;
  }
  return low;
}

struct Covered {
  double batches = 0, both = 0;
};

Covered coverage(double visit_sd) {
  Launches source(visit_sd);
  const double truth = true_median();
  const auto holds = [&](const Interval& i) {
    return i.low <= truth && truth <= i.high ? 1.0 / launches : 0.0;
  };
  Covered share;
  for (int i = 0; i < launches; ++i) {
    const auto launch = source.next(10, 30);
    const LaunchInterval interval = launch_interval(launch.ascending, launch.visit_medians, 0);
    share.batches += holds(interval.batches.value());
    share.both += holds(interval.both.value());
  }
  return share;
}

TEST(launch_interval_coverage, independent_batches_are_covered_either_way) {
  const Covered share = coverage(0);
  EXPECT_GE(share.batches, 0.94);
  EXPECT_GE(share.both, 0.97);
}

TEST(launch_interval_coverage, visits_that_differ_need_the_interval_over_visits) {
  const Covered share = coverage(0.01);
  EXPECT_LT(share.batches, 0.85);
  EXPECT_GE(share.both, 0.95);
}

TEST(median_interval_coverage, of_skewed_noise_for_small_and_large_samples) {
  Launches source(0);
  const double truth = true_median();
  for (const int n : {6, 9, 20, 50, 300}) {
    int covered = 0;
    for (int i = 0; i < launches; ++i) {
      const auto interval = median_interval(source.next(1, n).ascending).value();
      covered += interval.low <= truth && truth <= interval.high;
    }
    EXPECT_GE(covered / static_cast<double>(launches), 0.94) << n;
  }
}

}  // namespace
}  // namespace steelyard::stats
