// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stats/compare.hpp"

namespace steelyard::stats {
namespace {

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

}  // namespace
}  // namespace steelyard::stats
