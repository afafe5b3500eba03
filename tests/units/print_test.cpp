// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "units/text.hpp"

namespace steelyard::units {
namespace {

TEST(format_rounded_size, three_digits_of_the_prefix_that_fits) {
  EXPECT_EQ(format_rounded_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_rounded_size(Bytes{1000}), "1000 B");
  EXPECT_EQ(format_rounded_size(Bytes{24683620LL * 1024}), "23.5 GiB");
  EXPECT_EQ(format_rounded_size(Bytes{64 << 20}), "64.0 MiB");
  EXPECT_EQ(format_rounded_size(1.5e15), "1.33 PiB");
}

TEST(format_unlike_sizes, exact_where_rounded_ones_would_look_alike) {
  EXPECT_EQ(format_unlike_sizes(Bytes{8388608}, Bytes{8388600}),
            (std::pair<std::string, std::string>{"8 MiB", "8388600 B"}));
  EXPECT_EQ(format_unlike_sizes(gibi, Bytes{8388600}),
            (std::pair<std::string, std::string>{"1.00 GiB", "8.00 MiB"}));
}

TEST(format_size, prefix_only_if_the_number_stays_whole) {
  EXPECT_EQ(format_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_size(Bytes{1000}), "1000 B");
  EXPECT_EQ(format_size(Bytes{1024}), "1 KiB");
  EXPECT_EQ(format_size(Bytes{1536}), "1536 B");
  EXPECT_EQ(format_size(Bytes{65536}), "64 KiB");
  EXPECT_EQ(format_size(Bytes{1536 * 1024}), "1536 KiB");
  EXPECT_EQ(format_size(gibi), "1 GiB");
  EXPECT_EQ(format_size(Bytes{std::int64_t{1} << 62}), "4 EiB");
}

TEST(format_size, is_read_back) {
  for (const std::int64_t n : {1, 1000, 1024, 1536, 65536, 1 << 30}) {
    std::string text = format_size(Bytes{n});
    text.erase(text.find(' '), 1);
    if (text.ends_with("B") && !text.ends_with("iB")) text.pop_back();
    EXPECT_EQ(parse_size(text).count(), n) << text;
  }
}

TEST(format_time, examples) {
  EXPECT_EQ(format_time(Seconds{0.41e-6}), "0.41 us");
  EXPECT_EQ(format_time(Seconds{6.234e-6}), "6.23 us");
  EXPECT_EQ(format_time(Seconds{811e-6}), "811 us");
  EXPECT_EQ(format_time(Seconds{1.02e-3}), "1.02 ms");
  EXPECT_EQ(format_time(Seconds{12.34}), "12.3 s");
}

TEST(format_time, limits_between_units) {
  EXPECT_EQ(format_time(Seconds{0}), "0.00 us");
  EXPECT_EQ(format_time(Seconds{91.2e-9}), "91.2 ns");
  EXPECT_EQ(format_time(Seconds{0.1e-6}), "0.10 us");
  EXPECT_EQ(format_time(Seconds{9.996e-6}), "10.0 us");
  EXPECT_EQ(format_time(Seconds{99.96e-6}), "100 us");
  EXPECT_EQ(format_time(Seconds{999.4e-6}), "999 us");
  EXPECT_EQ(format_time(Seconds{999.6e-6}), "1.00 ms");
  EXPECT_EQ(format_time(Seconds{0.9996}), "1.00 s");
  EXPECT_EQ(format_time(Seconds{1800}), "1800 s");
}

TEST(format_clock, minutes_and_hours) {
  EXPECT_EQ(format_clock(Seconds{42.1}), "0:42");
  EXPECT_EQ(format_clock(Seconds{70}), "1:10");
  EXPECT_EQ(format_clock(Seconds{7387}), "2:03:07");
  EXPECT_EQ(format_clock(Seconds{59.6}), "1:00");
  EXPECT_EQ(format_clock(Seconds{-3}), "0:00");
}

TEST(counted, has_the_plural) {
  EXPECT_EQ(counted(1, "point"), "1 point");
  EXPECT_EQ(counted(0, "point"), "0 points");
  EXPECT_EQ(counted(2U, "process"), "2 processes");
  EXPECT_EQ(counted(std::int64_t{3}, "batch"), "3 batches");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
}

TEST(format_fixed, never_an_exponent_and_no_negative_zero) {
  EXPECT_EQ(format_fixed(1234567890123.456, 2), "1234567890123.46");
  EXPECT_EQ(format_fixed(1e20, 0), "100000000000000000000");
  EXPECT_EQ(format_fixed(1e-9, 2), "0.00");
  EXPECT_EQ(format_fixed(-1e-9, 2), "0.00");
  EXPECT_EQ(format_fixed(-0.5, 1), "-0.5");
}

TEST(format_significant, digits_before_the_point_are_all_there) {
  EXPECT_EQ(format_significant(657.46, 4), "657.5");
  EXPECT_EQ(format_significant(1293.2, 4), "1293");
  EXPECT_EQ(format_significant(12934.2, 4), "12934");
  EXPECT_EQ(format_significant(0.0012345, 4), "0.001234");
  EXPECT_EQ(format_significant(99.996, 4), "100.0");
  EXPECT_EQ(format_significant(0, 4), "0");
}

}  // namespace
}  // namespace steelyard::units
