// SPDX-License-Identifier: Apache-2.0
#include "stats/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace steelyard::stats {
namespace {

using testing::ElementsAre;

const std::vector<double> base{4.10, 4.12, 4.08, 4.15, 4.11};
const std::vector<double> slower{4.31, 4.29, 4.35, 4.27, 4.40};
const std::vector<double> same{4.13, 4.09, 4.16, 4.14, 4.12};

TEST(mann_whitney, worked_example_of_a_slow_down) {
  const MannWhitney test = mann_whitney(base, slower);
  EXPECT_EQ(test.u, 25);
  EXPECT_TRUE(test.exact);
  EXPECT_NEAR(test.p, 0.00794, 5e-6);
  EXPECT_DOUBLE_EQ(test.p, 2.0 / 252);
}

TEST(mann_whitney, worked_example_with_ties) {
  const MannWhitney test = mann_whitney(base, same);
  EXPECT_EQ(test.u, 17.5);
  EXPECT_FALSE(test.exact);
  // variance 25/12 (11 - 6/90), z = (5 - 1/2)/sqrt(variance)
  EXPECT_NEAR(test.p, std::erfc(4.5 / std::sqrt(25.0 / 12 * (11 - 6.0 / 90)) / std::sqrt(2.0)), 1e-12);
}

TEST(mann_whitney, direction_changes_u_but_not_p) {
  const MannWhitney there = mann_whitney(base, slower), back = mann_whitney(slower, base);
  EXPECT_EQ(back.u, 0);
  EXPECT_DOUBLE_EQ(there.p, back.p);
}

TEST(mann_whitney, all_equal_is_no_evidence) {
  const std::vector<double> ones(6, 1.0);
  EXPECT_EQ(mann_whitney(ones, ones).p, 1);
  EXPECT_EQ(mann_whitney(ones, ones).u, 18);
}

TEST(mann_whitney, an_empty_side_is_no_evidence) {
  EXPECT_EQ(mann_whitney(base, {}).p, 1);
}

/// Two-sided p of every arrangement of m + n ranks, by counting all of them.
double p_by_enumeration(unsigned m, unsigned n, double u) {
  const double smaller = std::min(u, m * n - u);
  double below = 0, all = 0;
  for (unsigned chosen = 0; chosen < 1u << (m + n); ++chosen) {  // bit set: the rank belongs to side b
    if (std::popcount(chosen) != static_cast<int>(n)) continue;
    unsigned pairs = 0, a_so_far = 0;
    for (unsigned bit = 0; bit < m + n; ++bit) {
      if ((chosen >> bit & 1u) != 0)
        pairs += a_so_far;
      else
        ++a_so_far;
    }
    all += 1;
    if (pairs <= smaller) below += 1;
  }
  return std::min(1.0, 2 * below / all);
}

/// Values of two sides, all different, with exactly u pairs b > a.
std::pair<std::vector<double>, std::vector<double>> sides(unsigned m, unsigned n, unsigned u) {
  std::pair<std::vector<double>, std::vector<double>> result;
  for (unsigned i = 0; i < m; ++i) result.first.push_back(1 + i);
  for (unsigned j = 0; j < n; ++j) {
    const unsigned above = std::min(m, u);
    u -= above;
    result.second.push_back(above + 0.5 + 0.001 * j);
  }
  return result;
}

TEST(mann_whitney, exact_p_equals_enumeration_up_to_six_launches) {
  for (unsigned m = 1; m <= 6; ++m) {
    for (unsigned n = 1; n <= 6; ++n) {
      for (unsigned u = 0; u <= m * n; ++u) {
        const auto [a, b] = sides(m, n, u);
        const MannWhitney test = mann_whitney(a, b);
        ASSERT_EQ(test.u, u);
        ASSERT_TRUE(test.exact);
        ASSERT_NEAR(test.p, p_by_enumeration(m, n, u), 1e-12) << m << ' ' << n << ' ' << u;
      }
    }
  }
}

TEST(mann_whitney, normal_form_takes_over_smoothly) {
  const auto [a, b] = sides(20, 20, 260);
  const MannWhitney exact = mann_whitney(a, b);
  EXPECT_TRUE(exact.exact);
  const auto [c, d] = sides(21, 20, 273);
  const MannWhitney normal = mann_whitney(c, d);
  EXPECT_FALSE(normal.exact);
  EXPECT_NEAR(exact.p, std::erfc(59.5 / std::sqrt(400 * 41 / 12.0) / std::sqrt(2.0)), 1e-3);
  EXPECT_NEAR(normal.p, exact.p, 0.01);
}

TEST(hodges_lehmann_rank, table_of_the_methodology) {
  const std::vector<std::pair<std::size_t, int>> table{{5, 2}, {6, 5}, {7, 8}, {8, 13}, {9, 17}, {10, 23}};
  for (const auto& [launches, k] : table) EXPECT_EQ(hodges_lehmann_rank(launches, launches), k) << launches;
}

TEST(hodges_lehmann_rank, none_for_few_launches) {
  EXPECT_EQ(hodges_lehmann_rank(3, 3), -1);
  EXPECT_EQ(hodges_lehmann_rank(4, 4), 0);
}

TEST(hodges_lehmann_rank, large_samples_by_the_normal_form) {
  EXPECT_EQ(hodges_lehmann_rank(20, 20), 127);
  EXPECT_NEAR(hodges_lehmann_rank(21, 20), 134, 1);
}

TEST(hodges_lehmann_rank, a_higher_level_reaches_further) {
  EXPECT_EQ(hodges_lehmann_rank(5, 5, 0.99), 0);  // one of 252 arrangements either side
  EXPECT_EQ(hodges_lehmann_rank(5, 5, 0.999), -1);
  EXPECT_LT(hodges_lehmann_rank(30, 30, 0.99), hodges_lehmann_rank(30, 30));
  EXPECT_THROW(static_cast<void>(hodges_lehmann_ratio(base, base, 0.999999)), std::domain_error);
}

TEST(hodges_lehmann_ratio, worked_example_of_a_slow_down) {
  const RatioEstimate estimate = hodges_lehmann_ratio(base, slower);
  EXPECT_NEAR(estimate.ratio, 1.0487, 5e-5);
  EXPECT_NEAR(estimate.interval.low, 1.0364, 5e-5);
  EXPECT_NEAR(estimate.interval.high, 1.0706, 5e-5);
}

TEST(hodges_lehmann_ratio, worked_example_of_no_change) {
  const RatioEstimate estimate = hodges_lehmann_ratio(base, same);
  EXPECT_NEAR(estimate.ratio, 1.0049, 5e-5);
  EXPECT_NEAR(estimate.interval.low, 0.9928, 5e-5);
  EXPECT_NEAR(estimate.interval.high, 1.0146, 5e-5);
}

TEST(hodges_lehmann_ratio, refuses_fewer_than_five_launches) {
  const std::vector<double> four{1, 2, 3, 4};
  EXPECT_THROW(static_cast<void>(hodges_lehmann_ratio(four, base)), std::domain_error);
  EXPECT_THROW(static_cast<void>(hodges_lehmann_ratio(base, four)), std::domain_error);
}

/// Over all signs of ranks 1..n: how many sums are as far from the middle.
double enumerated_p(double w, std::size_t n) {
  const double middle = static_cast<double>(n * (n + 1)) / 4;
  double as_far = 0;
  for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += (signs >> k) & 1 ? static_cast<double>(k + 1) : 0;
    as_far += std::abs(sum - middle) >= std::abs(w - middle) ? 1 : 0;
  }
  return as_far / static_cast<double>(std::size_t{1} << n);
}

TEST(wilcoxon, exact_p_equals_enumeration) {
  const std::vector<double> all = {0.1, -0.2, 0.3, 0.45, -0.5, 0.7, 0.8};
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const auto found = wilcoxon(std::span(all).first(n));
    EXPECT_TRUE(found.exact);
    EXPECT_NEAR(found.p, enumerated_p(found.w, n), 1e-12) << n;
  }
}

TEST(wilcoxon, ties_and_zeros_take_the_normal_form) {
  const std::vector<double> differences = {0, 0.1, 0.1, -0.1, 0.2, 0.3, 0.4, 0.5};
  const auto found = wilcoxon(differences);
  EXPECT_FALSE(found.exact);
  EXPECT_DOUBLE_EQ(found.w, 26);  // 28 without the mean rank 2 of -0.1
  EXPECT_GT(found.p, 0.02);
  EXPECT_LT(found.p, 0.06);
  EXPECT_DOUBLE_EQ(wilcoxon(std::vector<double>{0, 0, 0}).p, 1);
}

TEST(paired_ratio, interval_is_that_of_the_table_of_signed_ranks) {
  EXPECT_EQ(signed_rank(5), -1);
  EXPECT_EQ(signed_rank(6), 0);
  EXPECT_EQ(signed_rank(8), 3);
  EXPECT_EQ(signed_rank(10), 8);
  EXPECT_EQ(signed_rank(20), 52);
  EXPECT_NEAR(signed_rank(60), 649, 2);
  const std::vector<double> differences = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
  const auto found = paired_ratio(differences);
  EXPECT_NEAR(std::log(found.ratio), 0.035, 1e-12);
  EXPECT_NEAR(std::log(found.interval.low), 0.01, 1e-12);
  EXPECT_NEAR(std::log(found.interval.high), 0.06, 1e-12);
  EXPECT_THROW(static_cast<void>(paired_ratio(std::span(differences).first(5))), std::domain_error);
}

TEST(cliffs_delta, worked_examples) {
  EXPECT_EQ(cliffs_delta(base, slower), 1);
  EXPECT_EQ(cliffs_delta(slower, base), -1);
  EXPECT_DOUBLE_EQ(cliffs_delta(base, same), 0.4);
}

const std::vector<double> ten{.001, .008, .039, .041, .042, .06, .074, .205, .212, .216};

TEST(benjamini_hochberg, worked_example) {
  EXPECT_THAT(benjamini_hochberg(ten, 0.05),
              ElementsAre(true, true, false, false, false, false, false, false, false, false));
  EXPECT_THAT(benjamini_hochberg(ten, 0.10),
              ElementsAre(true, true, true, true, true, true, false, false, false, false));
}

TEST(benjamini_hochberg, order_of_the_points_does_not_matter) {
  const std::vector<double> mixed{.216, .001, .06, .042};
  EXPECT_THAT(benjamini_hochberg(mixed, 0.1), ElementsAre(false, true, true, true));
}

TEST(benjamini_hochberg, none_and_nothing) {
  const std::vector<double> weak{0.5, 0.9};
  EXPECT_THAT(benjamini_hochberg(weak, 0.01), ElementsAre(false, false));
  EXPECT_TRUE(benjamini_hochberg({}, 0.01).empty());
}

}  // namespace
}  // namespace steelyard::stats
