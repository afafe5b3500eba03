// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refused.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> sizes(std::string_view words) {
  std::vector<std::int64_t> counts;
  for (const Bytes size : parse_sizes(words)) counts.push_back(size.count());
  return counts;
}

TEST(parse_size, examples_of_the_guide) {
  EXPECT_EQ(parse_size("4096").count(), 4096);
  EXPECT_EQ(parse_size("64K").count(), 65536);
  EXPECT_EQ(parse_size("64Ki").count(), 65536);
  EXPECT_EQ(parse_size("1.5GiB").count(), 1610612736);
  EXPECT_EQ(parse_size("1.5Gi").count(), 1610612736);
  EXPECT_EQ(parse_size("2GB").count(), 2000000000);
}

TEST(parse_size, every_suffix) {
  EXPECT_EQ(parse_size("1k").count(), 1024);
  EXPECT_EQ(parse_size("1m").count(), 1048576);
  EXPECT_EQ(parse_size("1G").count(), 1073741824);
  EXPECT_EQ(parse_size("1Ti").count(), 1099511627776);
  EXPECT_EQ(parse_size("1PiB").count(), 1125899906842624);
  EXPECT_EQ(parse_size("1kB").count(), 1000);
  EXPECT_EQ(parse_size("1MB").count(), 1000000);
  EXPECT_EQ(parse_size("1TB").count(), 1000000000000);
  EXPECT_EQ(parse_size("1PB").count(), 1000000000000000);
}

TEST(parse_size, fractions_are_exact) {
  EXPECT_EQ(parse_size("0.5K").count(), 512);
  EXPECT_EQ(parse_size("0.001kB").count(), 1);
  EXPECT_EQ(parse_size("0.0009765625K").count(), 1);
  EXPECT_EQ(parse_size("2.00").count(), 2);
  EXPECT_EQ(parse_size("1.10MB").count(), 1100000);
}

TEST(parse_size, largest_is_just_below_two_to_the_63) {
  EXPECT_EQ(parse_size("9223372036854775807").count(), 9223372036854775807);
  EXPECT_EQ(parse_size("8191Pi").count(), 8191 * (std::int64_t{1} << 50));
}

TEST(parse_size, refusal_shows_the_word_and_examples) {
  EXPECT_EQ(refused([] { return parse_size("64Q"); }),
            "'64Q' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)");
}

TEST(parse_size, refuses_what_the_grammar_does_not_have) {
  for (const auto word : {"",      "K",   "-1",  "+1",    "1e3", "1.",   ".5K", "1,5K", " 1",
                          "1 K",   "1 ",  "64B", "1Kib2", "1BK", "0x10", "1.5", "0.3K", "9223372036854775808",
                          "8192P", "8Ei", "inf", "nan"}) {
    EXPECT_NE(refused([&] { return parse_size(word); }), "accepted") << word;
  }
}

TEST(parse_sizes, examples_of_the_guide) {
  EXPECT_EQ(sizes("0,1..4Mi").size(), 24u);
  EXPECT_THAT(sizes("1Ki..1Mi*4"), ElementsAre(1024, 4096, 16384, 65536, 262144, 1048576));
  EXPECT_THAT(sizes("100..1000+100"), ElementsAre(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000));
}

TEST(parse_sizes, sorts_and_drops_duplicates) {
  EXPECT_THAT(sizes("8,1..8,0,3"), ElementsAre(0, 1, 2, 3, 4, 8));
}

TEST(parse_sizes, end_between_two_steps_is_left_out) {
  EXPECT_THAT(sizes("3..20"), ElementsAre(3, 6, 12));
  EXPECT_THAT(sizes("1..10+4"), ElementsAre(1, 5, 9));
}

TEST(parse_sizes, range_of_one_value) {
  EXPECT_THAT(sizes("7..7"), ElementsAre(7));
}

TEST(parse_sizes, range_up_to_the_largest_number_ends) {
  EXPECT_EQ(sizes("1..9223372036854775807").size(), 63u);
  EXPECT_THAT(sizes("9223372036854775806..9223372036854775807+1"),
              ElementsAre(9223372036854775806, 9223372036854775807));
}

TEST(parse_sizes, refusals) {
  EXPECT_EQ(refused([] { return parse_sizes("8..4"); }), "range '8..4' runs backwards");
  EXPECT_EQ(refused([] { return parse_sizes("1,64Q"); }),
            "'64Q' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)");
  EXPECT_EQ(refused([] { return parse_sizes("0..8"); }),
            "range '0..8' begins with 0, which must stand by itself (as in 0,1..8)");
  EXPECT_EQ(refused([] { return parse_sizes("1..8*1"); }),
            "range '1..8*1' needs a whole factor of at least 2");
  EXPECT_EQ(refused([] { return parse_sizes("1..8*1.5"); }),
            "range '1..8*1.5' needs a whole factor of at least 2");
  EXPECT_EQ(refused([] { return parse_sizes("1..8+0"); }), "range '1..8+0' has a step of 0");
  EXPECT_EQ(refused([] { return parse_sizes("8,1.."); }), "range '1..' lacks its end");
  EXPECT_EQ(refused([] { return parse_sizes("1..*4"); }), "range '1..*4' lacks its end");
  EXPECT_EQ(refused([] { return parse_sizes("..1"); }), "range '..1' lacks its begin");
  EXPECT_EQ(refused([] { return parse_sizes("1..4G+1"); }), "range '1..4G+1' gives more than 1000000 values");
  for (const auto words : {"", ",", "1,", ",1", "1..", "..1", "1...4", "1..4*", "1..4+", "1..2..4"}) {
    EXPECT_NE(refused([&] { return parse_sizes(words); }), "accepted") << words;
  }
}

TEST(parse_counts, list_range_and_words) {
  EXPECT_THAT(parse_counts("2,4,8").values, ElementsAre(2, 4, 8));
  EXPECT_THAT(parse_counts("2..16*2").values, ElementsAre(2, 4, 8, 16));
  EXPECT_THAT(parse_counts("2..16").values, ElementsAre(2, 4, 8, 16));
  EXPECT_THAT(parse_counts("8,2..4+1").values, ElementsAre(2, 3, 4, 8));
  EXPECT_EQ(parse_counts("pow2").kind, Counts::Kind::pow2);
  EXPECT_EQ(parse_counts("ALL").kind, Counts::Kind::all);
  EXPECT_EQ(parse_counts("3").kind, Counts::Kind::list);
}

TEST(parse_counts, refusals) {
  EXPECT_EQ(refused([] { return parse_counts("2,x"); }),
            "must be a whole number from 1 to 2147483647, got 'x'");
  EXPECT_EQ(refused([] { return parse_counts("0"); }),
            "must be a whole number from 1 to 2147483647, got '0'");
  EXPECT_EQ(refused([] { return parse_counts("8..2"); }), "range '8..2' runs backwards");
  EXPECT_NE(refused([] { return parse_counts("2147483648"); }), "accepted");
  EXPECT_NE(refused([] { return parse_counts("pow2,3"); }), "accepted");
  EXPECT_NE(refused([] { return parse_counts("1.5"); }), "accepted");
}

}  // namespace
}  // namespace steelyard::units
