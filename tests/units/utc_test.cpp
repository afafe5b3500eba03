// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "units/text.hpp"

namespace steelyard::units {
namespace {

std::int64_t seconds(std::string_view text) {
  const auto moment = utc_moment(text);
  return moment ? moment->time_since_epoch().count() : -1;
}

TEST(utc, moments_are_read_from_the_front_of_a_text) {
  EXPECT_EQ(seconds("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds("2026-11-20T08:36:21Z"), 1795163781);
  EXPECT_EQ(seconds("2026-11-20T08:36:21.75Z"), 1795163781);
  EXPECT_EQ(seconds("2026-11-20"), 1795132800);
  for (const char* bad :
       {"", "2026-11-2", "2026-13-01", "2026-02-30", "2026/11/20", "yesterday..", "2026-11-20Tnoon oclock",
        "-026-11-20", "2026-11-20Txx:36:21Z", "2026-11-20X08:36:21Z", "2026-11-20T08-36-21Z",
        "2026-11-20T24:00:00Z", "2026-11-20T08:60:21Z", "2026-11-20T08:36:61Z"})
    EXPECT_EQ(seconds(bad), -1) << bad;
}

}  // namespace
}  // namespace steelyard::units
