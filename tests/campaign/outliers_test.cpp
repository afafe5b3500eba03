// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/node_events.hpp"

namespace steelyard::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

suites::PointPlan point(std::int64_t bytes, std::int64_t window) {
  suites::PointPlan plan;
  plan.bytes = bytes;
  plan.size_params = {"message_byte", "count_byte"};
  plan.params = {{"message_byte", bytes}, {"count_byte", 2 * bytes}, {"window", window}};
  return plan;
}

Measured measured(const suites::PointPlan& plan, double seconds) {
  return {series_of(plan), plan.bytes, seconds, false};
}

TEST(series, a_parameter_that_happens_to_equal_the_size_stays) {
  EXPECT_EQ(series_of(point(64, 64)), series_of(point(256, 64)));
  EXPECT_NE(series_of(point(64, 64)), series_of(point(64, 256)));
  EXPECT_NE(series_of(point(256, 64)), series_of(point(256, 256)));
}

TEST(outliers, a_time_far_from_its_neighbours_is_found_in_its_own_series) {
  const std::vector<Measured> curve = {measured(point(64, 8), 1e-6), measured(point(256, 8), 9e-6),
                                       measured(point(1024, 8), 2e-6)};
  EXPECT_THAT(outliers(curve), ElementsAre(1));
  const std::vector<Measured> apart = {measured(point(64, 8), 1e-6), measured(point(256, 16), 9e-6),
                                       measured(point(1024, 8), 2e-6)};
  EXPECT_THAT(outliers(apart), IsEmpty());
}

TEST(outliers, noisy_points_are_looked_at_again) {
  std::vector<Measured> one = {measured(point(64, 8), 1e-6)};
  EXPECT_THAT(outliers(one), IsEmpty());
  one.front().noisy = true;
  EXPECT_THAT(outliers(one), ElementsAre(0));
}

}  // namespace
}  // namespace steelyard::campaign
