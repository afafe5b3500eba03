// SPDX-License-Identifier: Apache-2.0
#include "options/checks.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

#include "options/option_table.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(map_grammar, two_factors_are_read) {
  EXPECT_THAT(parse_map("2x3"), Pair(2, 3));
}
TEST(map_grammar, anything_else_is_refused) {
  for (const char* word : {"", "2", "2x", "x3", "0x3", "2x3x4", "-1x2", "axb"})
    EXPECT_THROW(parses<parse_map>(word), units::ParseError) << word;
}

TEST(launcher_grammar, command_has_words_and_closed_quotes) {
  EXPECT_NO_THROW(check_launcher("'/my mpi/mpiexec' -n {n}"));
  for (const char* word : {"", " ", "srun '-n", "srun \"-n {n}", "srun \\"})
    EXPECT_THROW(check_launcher(word), units::ParseError) << word;
}

TEST(label_grammar, value_may_hold_equal_signs_and_be_empty) {
  EXPECT_THAT(parse_label("a=b=c"), Pair("a", "b=c"));
  EXPECT_THAT(parse_label("a="), Pair("a", ""));
}
TEST(label_grammar, key_is_needed) {
  EXPECT_THROW(parses<parse_label>("=b"), units::ParseError);
  EXPECT_THROW(parses<parse_label>("ab"), units::ParseError);
}

TEST(deadline_grammar, duration_counts_from_now) {
  EXPECT_DOUBLE_EQ(parse_deadline("+1h30m", 1000), 6400);
}
TEST(deadline_grammar, duration_of_more_than_a_thousand_years_is_refused) {
  EXPECT_NO_THROW((parses<parse_deadline, 0>("+365000d")));
  for (const char* word : {"+400000d", "+9223372036854775808", "+99999999999999999999999999d"})
    EXPECT_THROW((parses<parse_deadline, 0>(word)), units::ParseError) << word;
}
TEST(deadline_grammar, utc_time_is_absolute) {
  EXPECT_DOUBLE_EQ(parse_deadline("1970-01-02T00:00Z", 5), 86400);
  EXPECT_DOUBLE_EQ(parse_deadline("1970-01-01T00:00:07Z", 5), 7);
}
TEST(deadline_grammar, time_without_z_is_local) {
  setenv("TZ", "UTC-2", 1);
  tzset();
  EXPECT_DOUBLE_EQ(parse_deadline("1970-01-02T00:00", 5), 86400 - 7200);
  unsetenv("TZ");
  tzset();
}
TEST(deadline_grammar, half_a_time_is_refused) {
  for (const char* word : {"", "tomorrow", "2026-11-20", "2026-11-20T18", "2026/11/20T18:00", "+", "+soon"})
    EXPECT_THROW((parses<parse_deadline, 0>(word)), units::ParseError) << word;
}

TEST(deadline_grammar, day_or_hour_that_there_is_not_is_refused) {
  for (const char* word : {"2026-02-30T18:00Z", "2026-13-01T00:00", "2026-00-10T00:00Z", "2026-11-20T24:00Z",
                           "2026-11-20T18:60", "2026-11-20T18:00:61Z", "2026--1-20T18:00Z"})
    EXPECT_THROW((parses<parse_deadline, 0>(word)), units::ParseError) << word;
  EXPECT_NO_THROW((parses<parse_deadline, 0>("2028-02-29T23:59:59Z")));
}

TEST(launch_grammar, auto_or_a_number) {
  EXPECT_EQ(parse_launch("auto"), std::nullopt);
  EXPECT_EQ(parse_launch("16"), 16);
  for (const char* word : {"", "0", "-1", "many", "2.5"})
    EXPECT_THROW(parses<parse_launch>(word), units::ParseError) << word;
}

TEST(comma_words, blanks_and_empty_ones_are_dropped) {
  EXPECT_THAT(comma_words("a, b,,c ,"), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(comma_words("").empty());
}
TEST(comma_list, comma_needs_a_value_on_both_sides) {
  EXPECT_THAT(comma_list("a, b ,c"), ElementsAre("a", "b", "c"));
  for (const char* word : {"", " ", ","}) EXPECT_TRUE(comma_list(word).empty()) << word;
  for (const char* word : {"1,,2", "1,", ",1", "1, ,2"})
    EXPECT_THROW(static_cast<void>(comma_list(word)), units::ParseError) << word;
}

}  // namespace
}  // namespace steelyard::cli
