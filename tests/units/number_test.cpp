// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "refused.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

TEST(parse_duration, examples_of_the_guide) {
  EXPECT_DOUBLE_EQ(parse_duration("90").value(), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m").value(), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1h30m").value(), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("250ms").value(), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("2min30s").value(), 150);
}

TEST(parse_duration, every_unit_joined) {
  EXPECT_DOUBLE_EQ(parse_duration("1d2h3m4s5ms").value(), 86400 + 7200 + 180 + 4 + 0.005);
  EXPECT_DOUBLE_EQ(parse_duration("0").value(), 0);
}

TEST(parse_duration, refusal_shows_the_word_and_examples) {
  EXPECT_EQ(refused([] { return parse_duration("5 parsecs"); }),
            "'5 parsecs' is not a duration (examples: 90, 250ms, 1h30m)");
}

TEST(parse_duration, refuses_what_the_grammar_does_not_have) {
  for (const auto word : {"", "-1", "1h30", "30m1h", "1m2m", "1m2min", "s", "1.5.2s", "1e3", "1 h", "1H",
                          "1us", "inf", "1h "}) {
    EXPECT_NE(refused([&] { return parse_duration(word); }), "accepted") << word;
  }
}

TEST(parse_duration, refuses_an_endless_one) {
  EXPECT_NE(refused([] { return parse_duration(std::string(400, '9')); }), "accepted");
  EXPECT_NE(refused([] { return parse_duration(std::string(308, '9') + "d"); }), "accepted");
}

TEST(parse_ratio, number_or_percentage) {
  EXPECT_DOUBLE_EQ(parse_ratio("0.05"), 0.05);
  EXPECT_DOUBLE_EQ(parse_ratio("5%"), 0.05);
  EXPECT_DOUBLE_EQ(parse_ratio("100%"), 1);
  EXPECT_DOUBLE_EQ(parse_ratio("0"), 0);
  EXPECT_DOUBLE_EQ(parse_ratio("1"), 1);
}

TEST(parse_ratio, percentage_is_the_number_that_the_same_decimal_is) {
  EXPECT_EQ(parse_ratio("99.9%"), 0.999);
  EXPECT_EQ(parse_ratio("0.7%"), 0.007);
  EXPECT_EQ(parse_ratio("7%"), 0.07);
}

TEST(percent, has_the_digits_of_the_share_or_those_that_are_asked_for) {
  EXPECT_EQ(percent(0.05), "5 %");
  EXPECT_EQ(percent(0.025), "2.5 %");
  EXPECT_EQ(percent(0.995), "99.5 %");
  EXPECT_EQ(percent(0.999), "99.9 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.00001), "0.001 %");
  EXPECT_EQ(percent(parse_ratio("0.15%")), "0.15 %");
  EXPECT_EQ(percent(0.634, 0), "63 %");
}

TEST(parse_ratio, refusals) {
  EXPECT_EQ(refused([] { return parse_ratio("7"); }), "must be between 0 and 1 (or 0% and 100%), got '7'");
  for (const auto word : {"", "%", "101%", "1.01", "-0.1", "5 %", "1e-2", "nan", "5%%"}) {
    EXPECT_NE(refused([&] { return parse_ratio(word); }), "accepted") << word;
  }
}

TEST(parse_count, limits_belong_to_it) {
  EXPECT_EQ(parse_count("1", 1, 1000000), 1);
  EXPECT_EQ(parse_count("1000000", 1, 1000000), 1000000);
  EXPECT_EQ(parse_count("-3", -5, 5), -3);
}

TEST(parse_count, refusals_name_the_limits) {
  EXPECT_EQ(refused([] { return parse_count("x", 1, 1000000); }),
            "must be a whole number from 1 to 1000000, got 'x'");
  for (const auto word :
       {"", "0", "1000001", "1.0", "1e3", "+1", " 1", "1 ", "--1", "99999999999999999999"}) {
    EXPECT_NE(refused([&] { return parse_count(word, 1, 1000000); }), "accepted") << word;
  }
}

TEST(parse_number, decimal_with_sign_and_exponent) {
  EXPECT_DOUBLE_EQ(parse_number("-1.5"), -1.5);
  EXPECT_DOUBLE_EQ(parse_number("2e-3"), 0.002);
}

TEST(parse_number, refusals) {
  EXPECT_EQ(refused([] { return parse_number("x"); }), "must be a number, got 'x'");
  for (const auto word : {"", "inf", "nan", "1,5", "1x", "1e999"}) {
    EXPECT_NE(refused([&] { return parse_number(word); }), "accepted") << word;
  }
}

TEST(parse_bool, words_in_any_case) {
  for (const auto word : {"true", "On", "YES", "1", "enable"}) EXPECT_TRUE(parse_bool(word)) << word;
  for (const auto word : {"false", "Off", "NO", "0", "disable"}) EXPECT_FALSE(parse_bool(word)) << word;
}

TEST(parse_bool, refusal) {
  EXPECT_EQ(refused([] { return parse_bool("maybe"); }), "must be on or off, got 'maybe'");
  EXPECT_NE(refused([] { return parse_bool(""); }), "accepted");
}

}  // namespace
}  // namespace steelyard::units
