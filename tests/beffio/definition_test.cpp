// SPDX-License-Identifier: Apache-2.0
// The plan: order, blocks, identities, settings.
#include "suites/beffio/definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "suites/beffio/settings.hpp"

namespace steelyard::beffio {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Settings two_partitions() {
  Settings settings;
  settings.memory_mebibyte = 512;
  settings.partitions = {1, 2};
  return settings;
}

const std::vector<std::string> all = {std::string(benchmark_name)};

std::vector<std::string> order(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& access_block : access_blocks(settings, 2))
    words.push_back(std::string(text(access_block.access)) + std::to_string(access_block.processes));
  return words;
}

TEST(plan, everything_is_written_then_rewritten_then_read) {
  auto settings = two_partitions();
  EXPECT_THAT(order(settings),
              testing::ElementsAre("write1", "write2", "rewrite1", "rewrite2", "read1", "read2"));
  settings.order = Order::by_partition;
  EXPECT_THAT(order(settings),
              testing::ElementsAre("write1", "rewrite1", "read1", "write2", "rewrite2", "read2"));
}

TEST(plan, an_access_method_of_a_partition_is_one_experiment) {
  const auto blocks = Definition(two_partitions()).plan(all, 4);
  ASSERT_EQ(blocks.size(), 6u);
  std::set<std::string> keys;
  for (const auto& block : blocks) {
    EXPECT_TRUE(block.indivisible);
    EXPECT_EQ(block.points.size(), 43u);
    for (const auto& point : block.points) EXPECT_TRUE(keys.insert(point.key).second) << point.key;
  }
  EXPECT_EQ(blocks[0].points[1].key,
            "b-eff-io/b_eff_io;access=write;chunk_byte=4194304;pattern=1;processes=1");
  EXPECT_EQ(blocks[1].processes, 2);
  EXPECT_TRUE(Definition(two_partitions()).plan({}, 4).empty());
}

TEST(plan, only_type_0_is_rewritten_on_request) {
  auto settings = two_partitions();
  settings.rewriting = Rewriting::scatter_only;
  const auto blocks = Definition(settings).plan(all, 2);
  EXPECT_EQ(blocks[2].points.size(), 9u);
  EXPECT_EQ(blocks[4].points.size(), 43u);
}

TEST(plan, promises_about_the_scheduled_time_what_waits_for_the_disk_at_its_ends_and_the_removal) {
  double seconds = 0;
  for (const auto& block : Definition(two_partitions()).plan(all, 2))
    for (const auto& point : block.points) seconds += point.prescribed_s.value_or(0);
  EXPECT_GT(seconds, 1500);
  EXPECT_LT(seconds, 2050);
}

/// Of all points of an access, where one rate is another.
double expected_with(const Settings& settings, Access access, double suites::Rates::*rate, double byte_s) {
  suites::World world = 2;
  world.rates.*rate = byte_s;
  double sum = 0;
  for (const auto& block : Definition(settings).plan(all, world))
    for (const auto& point : block.points)
      if (point.spec<PatternSpec>().access == access) sum += point.prescribed_s.value_or(0);
  return sum;
}

TEST(plan, what_is_written_again_has_rates_of_its_own) {
  for (const auto rate : {&suites::Rates::file_rewrite_byte_s, &suites::Rates::file_reflush_byte_s}) {
    const auto seconds = [rate](Access access, double byte_s) {
      return expected_with(two_partitions(), access, rate, byte_s);
    };
    EXPECT_GT(seconds(Access::rewrite, 5e8), seconds(Access::rewrite, 2e9));
    EXPECT_EQ(seconds(Access::write, 5e8), seconds(Access::write, 2e9));
    EXPECT_EQ(seconds(Access::read, 5e8), seconds(Access::read, 2e9));
  }
}

/// Of all patterns of a type in one access, with these rates.
double expected_of(PatternType type, Access access, const suites::Rates& rates) {
  suites::World world = 2;
  world.rates = rates;
  Settings settings = two_partitions();
  settings.most_byte = std::int64_t{1} << 31;
  const auto table = pattern_table(settings, 2);
  double sum = 0;
  for (const auto& block : Definition(settings).plan(all, world))
    for (const auto& point : block.points) {
      const auto& spec = point.spec<PatternSpec>();
      if (spec.access == access && table[static_cast<std::size_t>(spec.pattern)].type == type)
        sum += point.prescribed_s.value_or(0);
    }
  return sum;
}

TEST(plan, collective_calls_have_rates_of_their_own) {
  const auto fast = suites::assumed_rates();
  auto slow = fast;
  slow.file_together_call_s *= 20;
  slow.file_together_write_byte_s /= 20;
  slow.file_together_read_byte_s /= 20;
  for (const Access access : {Access::write, Access::rewrite, Access::read}) {
    for (const PatternType type :
         {PatternType::scatter, PatternType::shared, PatternType::segmented_collective})
      EXPECT_GT(expected_of(type, access, slow), 2 * expected_of(type, access, fast))
          << text(type) << text(access);
    for (const PatternType type : {PatternType::separated, PatternType::segmented})
      EXPECT_EQ(expected_of(type, access, slow), expected_of(type, access, fast))
          << text(type) << text(access);
  }
}

/// Of one access by so many of two processes, with these rates.
double expected_by(int processes, Access access, const suites::Rates& rates) {
  suites::World world = 2;
  world.rates = rates;
  double sum = 0;
  for (const auto& block : Definition(two_partitions()).plan(all, world))
    for (const auto& point : block.points)
      if (block.processes == processes && point.spec<PatternSpec>().access == access)
        sum += point.prescribed_s.value_or(0);
  return sum;
}

TEST(plan, few_processes_have_the_disk_for_themselves) {
  auto slow = suites::assumed_rates();
  slow.touch_byte_s = 1e15;
  slow.file_together_call_s = slow.file_call_s;
  slow.file_together_write_byte_s = slow.file_together_read_byte_s = 1e15;
  auto fast = slow;
  for (const auto rate : {&suites::Rates::file_flush_byte_s, &suites::Rates::file_reflush_byte_s,
                          &suites::Rates::file_remove_byte_s}) {
    slow.*rate = 1e8;
    fast.*rate = 2e8;
  }
  for (const Access access : {Access::write, Access::rewrite, Access::read})
    EXPECT_NEAR(expected_by(1, access, slow) / expected_by(2, access, fast), 1, 1e-5);
}

TEST(plan, memory_that_is_new_slows_what_is_written_and_so_what_waits) {
  auto used = suites::assumed_rates(), fresh = used;
  used.touch_byte_s = 1e15;
  fresh.touch_byte_s = used.file_write_byte_s / 3;
  for (const Access access : {Access::rewrite, Access::read})
    EXPECT_LT(expected_by(2, access, fresh), 0.5 * expected_by(2, access, used)) << "a quarter is written";
}

TEST(plan, files_that_go_after_reading_take_their_time) {
  const auto seconds = [](const Settings& settings, Access access, double remove_byte_s) {
    return expected_with(settings, access, &suites::Rates::file_remove_byte_s, remove_byte_s);
  };
  auto settings = two_partitions();
  EXPECT_GT(seconds(settings, Access::read, 1e8), 2 * seconds(settings, Access::read, 1e12));
  EXPECT_EQ(seconds(settings, Access::write, 1e8), seconds(settings, Access::write, 1e12));
  settings.keep = true;
  EXPECT_EQ(seconds(settings, Access::read, 1e8), seconds(settings, Access::read, 1e12));
}

TEST(plan, a_hurried_run_fits_into_20_seconds) {
  double seconds = 0;
  Settings rule;
  rule.memory_mebibyte = 1 << 20;
  const auto settings = hurried(rule, 4);
  for (const auto& block : Definition(settings).plan(all, 4))
    for (const auto& point : block.points) seconds += point.prescribed_s.value_or(0);
  EXPECT_LT(seconds, 15);
  EXPECT_EQ(largest_chunk(settings), 2 * mebi);
  EXPECT_EQ(settings.partitions, std::vector<int>{4});
}

TEST(plan, what_a_share_does_not_hold_needs_a_larger_budget) {
  const Settings best = hurried({}, 2);
  constexpr double budget_s = 15;
  const double least_s = time_range(best, 2).least_s;
  for (const double share_s :
       {0.9 * least_s, 0.999 * least_s, 1.001 * least_s, 1.01 * least_s, 1.05 * least_s}) {
    const auto made = fitted(best, {share_s, budget_s}, 2);
    EXPECT_EQ(made.needs_budget_s.has_value(), share_s < least_s) << share_s;
    EXPECT_GT(made.needs_budget_s.value_or(1e9), budget_s) << share_s;
  }
}

TEST(plan, random_access_comes_where_it_is_asked_for) {
  auto settings = two_partitions();
  settings.random = true;
  const auto blocks = Definition(settings).plan(all, 2);
  for (const auto& block : blocks) EXPECT_EQ(block.points.size(), pattern_count);
  settings.rewriting = Rewriting::scatter_only;
  EXPECT_EQ(Definition(settings).plan(all, 2)[2].points.size(), 9u);
  EXPECT_TRUE(departures(two_partitions()).empty());
}

TEST(plan, largest_chunk_of_common_files_is_shared_by_the_processes_of_a_partition) {
  Settings settings;
  settings.memory_mebibyte = 128 * 1024;
  EXPECT_EQ(largest_common_chunk(settings, 64), gibi);
  settings.largest_together = 16 * gibi;
  EXPECT_EQ(largest_common_chunk(settings, 4), gibi) << "never more than 1/128 of the memory";
  EXPECT_EQ(largest_common_chunk(settings, 64), 256 * mebi);
  settings.largest_together = 2 * gibi;
  EXPECT_EQ(largest_common_chunk(settings, 64), 32 * mebi);
  EXPECT_EQ(largest_common_chunk(settings, 3).count() % element_byte, 0);
  const auto table = pattern_table(settings, 64);
  EXPECT_EQ(table[patterns_of(PatternType::scatter).first + 1].disk, 32 * mebi);
  EXPECT_EQ(table[patterns_of(PatternType::separated).first + 1].disk, gibi);
  EXPECT_EQ(departures(settings).size(), 1u);
}

TEST(plan, least_volume_holds_every_pattern_once) {
  Settings settings;
  settings.memory_mebibyte = 16;
  settings.partitions = {2};
  std::int64_t once = 0;
  for (const auto& pattern : pattern_table(settings, 2)) once += 2 * pattern.memory.count();
  const Bytes least = least_volume(settings, 2);
  EXPECT_GT(least.count(), once / 2);
  EXPECT_LT(least.count(), 8 * once);
  settings.partitions = {1, 2};
  EXPECT_GT(least_volume(settings, 2), least);
  settings.partitions = {2};
  settings.memory_mebibyte = 1024;
  EXPECT_GT(least_volume(settings, 2), least);
}

TEST(identity, names_access_and_pattern) {
  const auto table = pattern_table(2 * mebi);
  for (const auto access : accesses)
    for (const auto& pattern : table) {
      const auto found = recorded_spec(identity(access, pattern));
      EXPECT_EQ(found.access, access);
      EXPECT_EQ(found.pattern, pattern.number);
    }
  EXPECT_THROW(static_cast<void>(recorded_spec({})), std::invalid_argument);
}

TEST(settings, tell_which_patterns_set_a_view) {
  for (const auto type : pattern_types) {
    const auto span = patterns_of(type);
    for (std::size_t p = span.first; p <= span.last(); ++p) {
      const int number = static_cast<int>(p);
      EXPECT_EQ(type_of(number), type);
      EXPECT_EQ(sets_view(number, Pointer::shared), p == span.first || type == PatternType::scatter) << p;
      EXPECT_EQ(sets_view(number, Pointer::individual), p == span.first || interleaved(type)) << p;
    }
  }
  EXPECT_THROW(static_cast<void>(type_of(pattern_count)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(type_of(-1)), std::out_of_range);
}

TEST(settings, the_rule_has_no_departures) {
  EXPECT_TRUE(departures(two_partitions()).empty());
  auto settings = two_partitions();
  settings.pointer = Pointer::individual;
  settings.control = Control::each;
  EXPECT_EQ(departures(settings).size(), 2u);
  settings = two_partitions();
  settings.rewriting = Rewriting::scatter_only;
  EXPECT_EQ(departures(settings).size(), 1u);
  settings.formula = Formula::release2;
  EXPECT_TRUE(departures(settings).empty());
}

std::string error_of(std::string_view text) {
  try {
    static_cast<void>(Hints::parse(text, {2, 4}));
  } catch (const HintError& error) {
    return error.what();
  }
  return "none";
}

const PatternTable table = pattern_table(4 * mebi);

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

}  // namespace
}  // namespace steelyard::beffio
