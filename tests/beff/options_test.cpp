// SPDX-License-Identifier: Apache-2.0
#include "beff/options.hpp"

#include <gmock/gmock.h>

#include "measuring/measured_suite.hpp"
#include "suites/beff/definition.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::refusal;
using test::Strings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr std::int64_t found = 300;

beff::Settings settings(const Strings& words) {
  return beff_settings(invoke("b-eff", words).values, found);
}
std::string prefix(const Strings& words) {
  return beff_prefix(invoke("b-eff", words).values).string();
}
std::string wrong(const Strings& words) {
  return refusal("b-eff", words);
}
Prepared prepared(const Strings& words, const Place& place) {
  return prepare_beff(invoke("b-eff", words), place);
}
Place place(int processes, Bytes memory, Bytes share) {
  return {processes, memory.count(), {}, share.count()};
}

TEST(beff_words, without_words_the_rule_is_followed) {
  const beff::Settings s = settings({});
  EXPECT_EQ(s.memory_mebibyte, found);
  EXPECT_EQ(s.seed, 1U);
  EXPECT_EQ(s.mark, "");
  EXPECT_FALSE(s.rmax_flop_s);
  EXPECT_THAT(beff::departures(s), IsEmpty());
}

TEST(beff_plan, patterns_and_methods_that_are_left_out_leave_their_share_of_a_round) {
  const auto planned_s = [](const Strings& words) {
    Strings all{"-noshortlasttwo", "-lmax", "8Ki"};
    all.insert(all.end(), words.begin(), words.end());
    return prepared(all, place(8, 1024 * mebi, 1024 * mebi)).plan.estimate_s;
  };
  const double whole_s = planned_s({});
  // A round of a method takes its half second whatever number of patterns shares it.
  EXPECT_NEAR(planned_s({"-nopattern", "cyclic", "-nopattern", "acyclic", "-nopattern", "worst-cyc",
                         "-nopattern", "best-bi-section", "-nopattern", "worst-bi-section"}),
              whole_s, 0.05 * whole_s);
  EXPECT_NEAR(planned_s({"-nomethod", "alltoallv"}), 2 * whole_s / 3, 0.05 * whole_s);
}

TEST(beff_words, every_word_arrives) {
  const beff::Settings s =
      settings({"-mem", "12", "-lmax", "64Ki", "-seed", "7", "-rmax", "2.5", "-reps", "4", "-looptime", "3ms",
                "-lasttwo", "1m", "-noshortlasttwo", "-nomethod", "NonBlk", "--nopattern", "cyclic"});
  EXPECT_EQ(s.memory_mebibyte, 12);
  EXPECT_EQ(s.longest, Bytes{65536});
  EXPECT_EQ(s.seed, 7U);
  EXPECT_EQ(s.rmax_flop_s, 2.5e9);
  EXPECT_EQ(s.repetitions, 4);
  EXPECT_EQ(s.loop_time_s, 3e-3);
  EXPECT_EQ(s.last_two_limit_s, 60);
  EXPECT_FALSE(s.shorten_last_two);
  EXPECT_THAT(s.without_methods, ElementsAre(beff::Method::nonblocking));
  EXPECT_THAT(s.without_patterns, ElementsAre("cyclic"));
}

TEST(beff_words, schedules_are_marked_and_single_words_come_after_them) {
  EXPECT_EQ(settings({"-short"}).mark, "SHORT");
  EXPECT_EQ(settings({"-test"}).mark, "TEST");
  const beff::Settings both = settings({"-test", "-short", "-reps", "5"});
  EXPECT_EQ(both.mark, "SHORT&TEST");
  EXPECT_EQ(both.polygons, 2);
  EXPECT_EQ(both.repetitions, 5);
}

TEST(beff_words, methods_have_two_names_and_count_once) {
  EXPECT_THAT(settings({"-nomethod", "Alltoal", "-nomethod", "alltoallv"}).without_methods,
              ElementsAre(beff::Method::alltoallv));
  EXPECT_THAT(settings({"-nomethod", "non-blk"}).without_methods, ElementsAre(beff::Method::nonblocking));
}

TEST(beff_words, every_word_for_patterns_leaves_some_out) {
  const beff::PatternTable table(64);
  for (const std::string_view word : words_of(*find_option(*commands().find("b-eff"), "nopattern"))) {
    const beff::Settings without = settings({"-nopattern", std::string(word)});
    const auto out = [&](const beff::Pattern& pattern) { return beff::excluded(without, pattern); };
    EXPECT_TRUE(std::ranges::any_of(table.patterns(), out)) << word;
  }
}

TEST(beff_words, prefix_is_the_bare_word_or_that_of_f) {
  EXPECT_EQ(prefix({}), "b_eff");
  EXPECT_EQ(prefix({"runs/a.b"}), "runs/a.b");
  EXPECT_EQ(prefix({"-f", "x"}), "x");
  EXPECT_EQ(prefix({"--prefix=x"}), "x");
  EXPECT_EQ(refusal([] { return prefix({"-f", "x", "y"}); }), "'y': -f has named the files 'x' already");
  EXPECT_THAT(refusal([] { return prefix({"runs/"}); }), HasSubstr("'runs/' is a directory"));
}

TEST(beff_words, wrong_values_are_named) {
  EXPECT_THAT(wrong({"-mem", "0.5"}), HasSubstr("-mem: must be a whole number from 1 to"));
  EXPECT_THAT(wrong({"-lmax", "4103"}),
              HasSubstr("-lmax: must be at least 4104 byte and at most 128Mi, got '4103'"));
  EXPECT_THAT(wrong({"-lmax", "129Mi"}), HasSubstr("got '129Mi'"));
  EXPECT_THAT(wrong({"-looptime", "0"}), HasSubstr("-looptime: must be above 0, got '0'"));
  EXPECT_THAT(wrong({"-rmax", "-3"}), HasSubstr("-rmax: must be above 0, got '-3'"));
  EXPECT_THAT(wrong({"-nomethod", "Sndrcv"}), HasSubstr("-nomethod: 'Sndrcv' is not one of"));
  EXPECT_THAT(wrong({"-nopattern", "cyclc"}), HasSubstr("did you mean 'cyclic'?"));
  EXPECT_THAT(wrong({"-reps", "0"}), HasSubstr("-reps: must be a whole number"));
  EXPECT_THAT(wrong({"-f", ""}), HasSubstr("must not be empty"));
  EXPECT_THAT(wrong({"-memm", "3"}), HasSubstr("unknown option '-memm' | did you mean '-mem'?"));
}

TEST(beff_words, y_range_may_have_brackets) {
  EXPECT_THAT(parse_y_range("0.5:2e3"), Pair(0.5, 2000));
  EXPECT_THAT(parse_y_range("[1:10]"), Pair(1, 10));
  for (const char* word : {"", "5", "5:", ":5", "5:1", "1:1", "0:3", "-1:3", "[1:3", "1:2:3", "nan:1"})
    EXPECT_THAT(wrong({"-yrange", word}), HasSubstr("-yrange: ")) << word;
}

TEST(beff_plan, is_one_block_of_all_processes_with_the_memory_found) {
  const Prepared p = prepared({}, place(4, 4 * gibi, 2 * gibi));
  ASSERT_EQ(p.plan.blocks.size(), 1U);
  EXPECT_EQ(p.plan.blocks[0].processes, 4);
  EXPECT_EQ(p.settings<beff::Definition>("b-eff").memory_mebibyte, 2048);
}

TEST(beff_plan, single_process_is_refused) {
  EXPECT_THAT(refusal([] { return prepared({}, place(1, gibi, gibi)).plan.hash; }),
              HasSubstr("needs at least 2 processes"));
}

TEST(beff_plan, unknown_memory_is_refused_unless_said) {
  EXPECT_THAT(refusal([] { return prepared({}, place(2, Bytes{0}, Bytes{0})).plan.hash; }),
              HasSubstr("-mem"));
  EXPECT_EQ(prepared({"-mem", "64"}, place(2, Bytes{0}, Bytes{0}))
                .settings<beff::Definition>("b-eff")
                .memory_mebibyte,
            64);
}

TEST(beff_plan, memory_may_be_claimed_as_long_as_the_buffers_fit) {
  EXPECT_EQ(
      prepared({"-mem", "2048"}, place(2, gibi, gibi)).settings<beff::Definition>("b-eff").memory_mebibyte,
      2048);
  EXPECT_THAT(refusal([] {
                return prepared({"-mem", "999999"}, place(2, gibi, gibi)).plan.hash;
              }),
              HasSubstr("messages of 128 MiB need buffers of"));
}

}  // namespace
}  // namespace steelyard::cli
