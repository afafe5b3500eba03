// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace steelyard::stats
