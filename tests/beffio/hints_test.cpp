// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/beffio/settings.hpp"

using namespace steelyard;
using namespace steelyard::beffio;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

std::string error_of(std::string_view text) {
  try {
    static_cast<void>(Hints::parse(text, {2, 4}));
  } catch (const HintError& error) {
    return error.what();
  }
  return "none";
}

const PatternTable table = pattern_table(4 * mebi);

}  // namespace

TEST(hints, rules_apply_where_they_say) {
  const auto hints = Hints::parse(
      "# a comment\n"
      "\n"
      "all all all on_open cb_nodes 4\n"
      "4  write scatter\tall  striping_unit   1048576  \n"
      "all read shared 1032 romio_cb_read enable\n"
      "2 all seg_coll Lmax path a value with blanks \r\n",
      {2, 4});
  EXPECT_EQ(hints.rules().size(), 4u);
  EXPECT_THAT(hints.at_open({2, Access::write, PatternType::scatter}), ElementsAre(Pair("cb_nodes", "4")));
  EXPECT_THAT(hints.at_open({4, Access::write, PatternType::scatter}),
              ElementsAre(Pair("cb_nodes", "4"), Pair("striping_unit", "1048576")));
  EXPECT_THAT(hints.at_pattern({4, Access::write, PatternType::scatter}, table[5]),
              ElementsAre(Pair("striping_unit", "1048576")));
  EXPECT_THAT(hints.at_pattern({4, Access::read, PatternType::shared}, table[15]),
              ElementsAre(Pair("romio_cb_read", "enable")));
  EXPECT_THAT(hints.at_pattern({4, Access::read, PatternType::shared}, table[13]), IsEmpty());
  EXPECT_THAT(hints.at_pattern({2, Access::read, PatternType::segmented_collective}, table[35]),
              ElementsAre(Pair("path", "a value with blanks")));
}

TEST(hints, those_of_the_largest_chunk_are_for_its_patterns_alone) {
  const auto hints = Hints::parse("all all all Lmax cb_nodes 4\n", {2});
  const PatternTable common = pattern_table(4 * mebi, mebi);  // as large as the chunk of pattern 3
  const Hints::Place scattered{2, Access::write, PatternType::scatter};
  EXPECT_THAT(hints.at_pattern(scattered, common[1]), ElementsAre(Pair("cb_nodes", "4")));
  EXPECT_THAT(hints.at_pattern(scattered, common[3]), IsEmpty());
}

TEST(hints, given_for_all_files_apply_everywhere) {
  Hints hints;
  hints.add_everywhere({"cb_nodes", "1"});
  EXPECT_THAT(hints.at_open({3, Access::read, PatternType::shared}), ElementsAre(Pair("cb_nodes", "1")));
  EXPECT_THAT(hints.at_pattern({3, Access::read, PatternType::shared}, table[9]),
              ElementsAre(Pair("cb_nodes", "1")));
}

TEST(hints, a_file_without_a_rule_asks_for_what_is_in_effect) {
  EXPECT_TRUE(Hints::parse("# nothing\n", {2}).given());
  EXPECT_FALSE(Hints().given());
  EXPECT_EQ(words_of({{"cb_nodes", "4"}, {"path", "a b"}}), "cb_nodes 4 :: path a b");
}

TEST(hints, an_unknown_field_is_told_with_its_line) {
  EXPECT_EQ(error_of("all all all all k v\n\n3 all all all k v\n"),
            "line 3: '3' is no partition in use, nor 'all'");
  EXPECT_THAT(error_of("all append all all k v"), testing::HasSubstr("line 1: 'append' is no access method"));
  EXPECT_THAT(error_of("all all strided all k v"), testing::HasSubstr("'strided' is no pattern type"));
  EXPECT_THAT(error_of("all all all 1025 k v"), testing::HasSubstr("'1025' is no chunk"));
  EXPECT_EQ(error_of("all all all all key"), "line 1: has no key and value");
  EXPECT_EQ(error_of("all all all all k " + std::string(2000, 'v')), "line 1: longer than 2000 characters");
}
