// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "options/resolve.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::refusal;
using test::Strings;
using testing::ElementsAre;

Words parse(const char* command, const Strings& words) {
  return parse_words(*commands().find(command), words);
}

TEST(words, order_of_options_and_bare_words_is_free) {
  const Words words = parse("export", {"--to", "csv", "dir", "--overwrite"});
  EXPECT_THAT(words.bare, ElementsAre("dir"));
  EXPECT_THAT(words.options.at("to"), ElementsAre("csv"));
  EXPECT_THAT(words.options.at("overwrite"), ElementsAre("on"));
}

TEST(words, value_may_follow_an_equal_sign_or_the_letter) {
  EXPECT_THAT(parse("export", {"--to=csv", "x"}).options.at("to"), ElementsAre("csv"));
  EXPECT_THAT(parse("export", {"-ofile", "x"}).options.at("output"), ElementsAre("file"));
}

TEST(words, an_option_takes_one_word_and_leaves_the_rest) {
  const Words words = parse("export", {"--select", "imb-mpi1/A", "b"});
  EXPECT_THAT(words.options.at("select"), ElementsAre("imb-mpi1/A"));
  EXPECT_THAT(words.bare, ElementsAre("b"));
}

TEST(words, repeatable_options_keep_their_order) {
  EXPECT_THAT(parse("export", {"--select", "b", "x", "--select=a"}).options.at("select"),
              ElementsAre("b", "a"));
}

TEST(words, two_dashes_end_the_options) {
  EXPECT_THAT(parse("list", {"--", "--long"}).bare, ElementsAre("--long"));
}

TEST(words, a_lone_dash_is_a_word) {
  EXPECT_THAT(parse("export", {"-", "--to", "csv"}).bare, ElementsAre("-"));
}

TEST(unknown_options, are_named_together_with_what_was_meant) {
  EXPECT_EQ(refusal("list", {"--lng", "--nmes"}),
            "unknown options '--lng', '--nmes' | did you mean '--long', '--names'?");
  EXPECT_EQ(refusal("list", {"--zzzzzzzz"}), "unknown option '--zzzzzzzz'");
}

TEST(unknown_options, long_ones_are_not_abbreviated) {
  EXPECT_THAT(refusal("list", {"--lon"}), testing::StartsWith("unknown option '--lon'"));
}

TEST(missing_value, is_named_with_what_it_should_be) {
  EXPECT_EQ(refusal("export", {"dir", "--to"}), "--to: lacks its value FORMAT");
  EXPECT_EQ(refusal("export", {"dir", "-o"}), "-o: lacks its value FILE");
}

TEST(refused_value, belongs_to_the_word_that_was_typed) {
  EXPECT_THAT(refusal("compare", {"a", "b", "-o", ""}), testing::StartsWith("-o: "));
  EXPECT_THAT(refusal("compare", {"a", "b", "--output", ""}), testing::StartsWith("--output: "));
  EXPECT_THAT(refusal("compare", {"a", "b", "--output="}), testing::StartsWith("--output: "));
}

TEST(flags, take_no_value) {
  EXPECT_EQ(refusal("list", {"--long=yes"}), "--long: takes no value");
}

TEST(bare_words, more_than_asked_for_are_refused) {
  EXPECT_EQ(refusal("export", {"a", "b", "--to", "csv"}), "unexpected word 'b'");
  EXPECT_EQ(refusal("doctor", {"now"}), "unexpected word 'now'");
}

TEST(word_lists, suggest_the_nearest) {
  EXPECT_EQ(refusal("list", {"--color", "alwys"}),
            "--color: 'alwys' is not one of auto, always, never; did you mean 'always'?");
}

}  // namespace
}  // namespace steelyard::cli
