// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/order.hpp"

namespace steelyard::stats {
namespace {

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

TEST(moments, merged_parts_equal_the_whole_in_any_order) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> values(0, 1);
  Moments whole, forward, backward;
  std::vector<Moments> parts(10);
  for (int i = 0; i < 1000; ++i) {
    const double x = values(random);
    whole.add(x);
    parts[static_cast<std::size_t>(i) % 7].add(x);  // three parts stay empty
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    forward.merge(parts[i]);
    backward.merge(parts[parts.size() - 1 - i]);
  }
  for (const Moments& m : {forward, backward}) {
    EXPECT_EQ(m.count(), whole.count());
    EXPECT_NEAR(m.mean(), whole.mean(), 1e-12 * whole.mean());
    EXPECT_NEAR(m.sd(), whole.sd(), 1e-12 * whole.sd());
    EXPECT_EQ(m.min(), whole.min());
    EXPECT_EQ(m.max(), whole.max());
  }
}

}  // namespace
}  // namespace steelyard::stats
