// SPDX-License-Identifier: Apache-2.0
#include "stats/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace steelyard::stats {
namespace {

TEST(histogram, bins_of_the_methodology) {
  EXPECT_EQ(Histogram::bin(1e-9), 0);
  EXPECT_EQ(Histogram::bin(1e-6), 691);
  EXPECT_EQ(Histogram::bin(6.2311e-6), 874);
  EXPECT_EQ(Histogram::bin(0.5), 2003);
}

TEST(histogram, range_and_beyond) {
  EXPECT_EQ(Histogram::bin(1000), Histogram::last_bin);
  EXPECT_EQ(Histogram::bin(1100), Histogram::last_bin + 1);
  EXPECT_EQ(Histogram::bin(1e30), Histogram::last_bin + 1);
  EXPECT_EQ(Histogram::bin(0.9e-9), -1);
  EXPECT_EQ(Histogram::bin(0), -1);
  EXPECT_EQ(Histogram::bin(-1), -1);
}

TEST(histogram, value_of_a_bin_is_within_half_a_percent_of_all_it_holds) {
  for (int i = 0; i <= Histogram::last_bin; ++i) {
    const double top = std::exp(i * std::log(1.005 / 0.995)) * 1e-9, bottom = top * 0.995 / 1.005;
    EXPECT_LE(std::abs(Histogram::value(i) / top - 1), 0.005 * (1 + 1e-9));
    EXPECT_LE(std::abs(Histogram::value(i) / bottom - 1), 0.005 * (1 + 1e-9));
    EXPECT_EQ(Histogram::bin(Histogram::value(i)), i);
  }
}

std::vector<double> twelve_decades(std::size_t n) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> exponent(-9, 3);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(std::pow(10.0, exponent(random)));
  return values;
}

TEST(histogram, every_quantile_of_a_million_values_within_half_a_percent) {
  std::vector<double> values = twelve_decades(1'000'000);
  Histogram histogram;
  for (const double v : values) histogram.add(v);
  std::sort(values.begin(), values.end());
  ASSERT_EQ(histogram.count(), values.size());
  for (int i = 0; i <= 1000; ++i) {
    const double p = i / 1000.0;
    const auto rank = static_cast<std::size_t>(p * static_cast<double>(values.size() - 1));
    EXPECT_LE(std::abs(histogram.quantile(p) / values[rank] - 1), 0.005 * (1 + 1e-9)) << p;
  }
}

TEST(histogram, a_thousand_merged_parts_are_one_histogram_in_any_order) {
  const std::vector<double> values = twelve_decades(20'000);
  Histogram whole, forward, shuffled;
  std::vector<Histogram> parts(1000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.add(values[i]);
    parts[i % parts.size()].add(values[i]);
  }
  for (const Histogram& part : parts) forward.merge(part);
  std::shuffle(parts.begin(), parts.end(), std::mt19937_64(3));
  for (const Histogram& part : parts) shuffled.merge(part);
  EXPECT_TRUE(std::equal(whole.counts().begin(), whole.counts().end(), forward.counts().begin()));
  EXPECT_TRUE(std::equal(whole.counts().begin(), whole.counts().end(), shuffled.counts().begin()));
}

TEST(histogram, counts_may_come_from_elsewhere) {
  Histogram histogram;
  histogram.counts()[692] = 3;  // slot of bin 691
  EXPECT_EQ(histogram.count(), 3u);
  EXPECT_EQ(histogram.quantile(1), Histogram::value(691));
}

TEST(histogram, values_outside_are_counted_at_the_ends) {
  Histogram histogram;
  histogram.add(0);
  histogram.add(1e6);
  EXPECT_EQ(histogram.counts().front(), 1u);
  EXPECT_EQ(histogram.counts().back(), 1u);
  EXPECT_LT(histogram.quantile(0), 1e-9);
  EXPECT_GT(histogram.quantile(1), 1000);
}

}  // namespace
}  // namespace steelyard::stats
