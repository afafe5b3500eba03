// SPDX-License-Identifier: Apache-2.0
// Table 2 and what follows from it.
#include "suites/beffio/patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "suites/beffio/settings.hpp"

using namespace steelyard;
using namespace steelyard::beffio;
using testing::ElementsAre;

namespace {

constexpr std::int64_t kb = 1024, mb = 1024 * kb;
const PatternTable table = pattern_table(4 * mebi);

std::vector<std::int64_t> disk(std::size_t first, std::size_t count) {
  std::vector<std::int64_t> values;
  for (std::size_t p = first; p < first + count; ++p) values.push_back(table[p].disk.count());
  return values;
}
std::vector<std::int64_t> memory(std::size_t first, std::size_t count) {
  std::vector<std::int64_t> values;
  for (std::size_t p = first; p < first + count; ++p) values.push_back(table[p].memory.count());
  return values;
}
std::vector<int> units(std::size_t first, std::size_t count) {
  std::vector<int> values;
  for (std::size_t p = first; p < first + count; ++p) values.push_back(table[p].units);
  return values;
}
std::vector<int> positions(std::size_t first, std::size_t count) {
  std::vector<int> values;
  for (std::size_t p = first; p < first + count; ++p) values.push_back(table[p].position);
  return values;
}

/// All patterns written so often: types 0, 1 and 2 in the order of the table.
Repetitions written(const std::vector<std::uint64_t>& counts) {
  Repetitions repetitions{};
  std::copy(counts.begin(), counts.end(), repetitions.begin());
  return repetitions;
}

}  // namespace

TEST(pattern_table, type_0_has_the_rows_of_table_2) {
  EXPECT_THAT(disk(0, 9), ElementsAre(mb, 4 * mb, mb, mb, 32 * kb, kb, 32 * kb + 8, kb + 8, mb + 8));
  EXPECT_THAT(memory(0, 9), ElementsAre(mb, 4 * mb, 2 * mb, mb, mb, mb, mb + 256, mb + 8 * kb, mb + 8));
  EXPECT_THAT(units(0, 9), ElementsAre(0, 4, 4, 4, 2, 2, 2, 2, 2));
  EXPECT_THAT(positions(0, 9), ElementsAre(0, 7, 8, 5, 3, 1, 4, 2, 6));
  std::vector<std::int64_t> chunks;
  for (std::size_t p = 0; p < 9; ++p) chunks.push_back(table[p].chunks());
  EXPECT_THAT(chunks, ElementsAre(1, 1, 2, 1, 32, 1024, 32, 1024, 1));
}

TEST(pattern_table, types_1_to_4_call_once_per_chunk) {
  for (const std::size_t first : {9u, 17u, 25u, 34u}) {
    EXPECT_THAT(disk(first, 8), ElementsAre(mb, 4 * mb, mb, 32 * kb, kb, 32 * kb + 8, kb + 8, mb + 8));
    EXPECT_EQ(disk(first, 8), memory(first, 8));
    EXPECT_THAT(positions(first, 8), ElementsAre(0, 7, 5, 3, 1, 4, 2, 6));
  }
  EXPECT_THAT(units(9, 8), ElementsAre(0, 4, 2, 1, 1, 1, 1, 2));
  for (const std::size_t first : {17u, 25u, 34u})
    EXPECT_THAT(units(first, 8), ElementsAre(0, 2, 2, 1, 1, 1, 1, 2));
  EXPECT_TRUE(table[33].fills_up);
  EXPECT_TRUE(table[42].fills_up);
}

TEST(pattern_table, sums_of_units_are_those_of_the_definition) {
  std::vector<int> sums;
  int timed = 0, all = 0;
  for (const auto type : pattern_types) sums.push_back(units_of(type));
  for (const auto& pattern : table) {
    timed += pattern.units > 0 ? 1 : 0;
    all += pattern.units;
  }
  EXPECT_THAT(sums, ElementsAre(22, 12, 10, 10, 10, 0));
  EXPECT_EQ(timed, 36);
  EXPECT_EQ(all, 64);
}

TEST(pattern_table, every_size_is_a_multiple_of_eight_and_numbers_follow_each_other) {
  for (std::size_t p = 0; p < pattern_count; ++p) {
    EXPECT_EQ(table[p].number, static_cast<int>(p));
    EXPECT_EQ(table[p].disk.count() % element_byte, 0);
    EXPECT_EQ(table[p].chunks() * table[p].disk.count(), table[p].memory.count());
    const Span span = patterns_of(table[p].type);
    EXPECT_TRUE(span.first <= p && p <= span.last());
  }
}

TEST(largest_chunk, is_a_128th_of_the_memory_between_2_and_1024_megabyte) {
  EXPECT_EQ(largest_chunk(std::int64_t{64}), 2 * mebi);
  EXPECT_EQ(largest_chunk(std::int64_t{256}), 2 * mebi);
  EXPECT_EQ(largest_chunk(std::int64_t{300}).count(), 300 * mb / 128);
  EXPECT_EQ(largest_chunk(std::int64_t{1024}), 8 * mebi);
  EXPECT_EQ(largest_chunk(std::int64_t{1} << 20), 1024 * mebi);
  EXPECT_THROW(static_cast<void>(pattern_table(Bytes{mb})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(pattern_table(Bytes{4 * mb + 4})), std::invalid_argument);
}

TEST(pattern_table, random_access_has_the_chunks_of_type_3_and_no_share_of_the_time) {
  const Span random = patterns_of(PatternType::random), segmented = patterns_of(PatternType::segmented);
  EXPECT_EQ(random.first, defined_patterns);
  EXPECT_EQ(random.last(), pattern_count - 1);
  for (std::size_t i = 0; i < random.count; ++i) {
    EXPECT_EQ(table[random.first + i].disk, table[segmented.first + i].disk);
    EXPECT_EQ(table[random.first + i].position, table[segmented.first + i].position);
    EXPECT_EQ(table[random.first + i].units, 0);
  }
}

TEST(pattern_table, largest_chunk_of_common_files_may_be_another) {
  const PatternTable limited = pattern_table(4 * mebi, Bytes{mb});
  for (const Pattern& pattern : limited) {
    if (pattern.position != 7) continue;
    EXPECT_EQ(pattern.disk, pattern.type == PatternType::separated ? 4 * mebi : Bytes{mb});
  }
  EXPECT_THROW(static_cast<void>(pattern_table(4 * mebi, Bytes{12})), std::invalid_argument);
}

TEST(shuffle, meets_every_place_once_in_an_order_of_its_own) {
  for (const std::uint64_t count : std::vector<std::uint64_t>{1, 2, 3, 7, 64, 1000, 4097}) {
    std::vector<std::uint64_t> order;
    const Shuffle shuffle(count, 5);
    for (std::uint64_t i = 0; i < count; ++i) order.push_back(shuffle(i));
    auto sorted = order;
    std::ranges::sort(sorted);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i) << count;
    if (count >= 64) {
      EXPECT_NE(order, sorted);
      const Shuffle other(count, 6);
      std::vector<std::uint64_t> other_order;
      for (std::uint64_t i = 0; i < count; ++i) other_order.push_back(other(i));
      EXPECT_NE(other_order, order);
    }
  }
}

TEST(default_partitions, follow_the_table_of_the_release) {
  using P = std::vector<int>;
  EXPECT_EQ(default_partitions(1), (P{1}));
  EXPECT_EQ(default_partitions(2), (P{1, 2}));
  EXPECT_EQ(default_partitions(3), (P{1, 2, 3}));
  EXPECT_EQ(default_partitions(4), (P{2, 3, 4}));
  struct Range {
    int from, to, small, medium;
  };
  for (const auto& [from, to, small, medium] :
       {Range{5, 11, 2, 4}, Range{12, 19, 2, 8}, Range{20, 31, 4, 8}, Range{32, 86, 4, 16},
        Range{87, 141, 4, 32}, Range{142, 231, 8, 32}, Range{232, 624, 8, 64}, Range{625, 1023, 8, 128},
        Range{1024, 1680, 16, 128}})
    for (int p = from; p <= to; ++p) EXPECT_EQ(default_partitions(p), (P{small, medium, p})) << p;
}

TEST(segment, takes_the_least_count_of_the_three_types) {
  //                          type 0: 1 part, 2 extra, 1 MB, 32 kB, 1 kB, +8 ...
  const auto counts = written({1, 3, 99, 20,  5,    2,  4,   1, 7,  //
                               1, 9, 50, 10,  300,  40, 30,  6,     //
                               1, 5, 15, 999, 1500, 80, 999, 70});
  const auto found = segment(table, counts, mebi);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->repetitions, ElementsAre(1, 3, 15, 100, 1500, 80, 300, 7, 1));
  const std::int64_t content = mb + 3 * 4 * mb + 15 * mb + 100 * 32 * kb + 1500 * kb + 80 * (32 * kb + 8) +
                               300 * (kb + 8) + 7 * (mb + 8);
  EXPECT_EQ(found->length.count() % mb, 0);
  EXPECT_EQ(found->length.count() - found->fill_up.count(), content);
  EXPECT_LT(found->fill_up, mebi);
  EXPECT_FALSE(found->reduced);
  const auto filled = filled_up(table, *found);
  EXPECT_EQ(filled[33].memory, found->fill_up);
  EXPECT_EQ(filled[42].disk, found->fill_up);
}

TEST(segment, without_a_rest_is_filled_up_by_nothing) {
  // 32 chunks of 32 kB are 1 MB, 1024 of 1 kB too; 1024 of each "+ 8" make whole megabytes with the last.
  auto counts =
      written({1,      1,      1,      1,      1, 1, 131072 / 32, 128, 131072, 1,      131072, 131072, 131072,
               131072, 131072, 131072, 131072, 1, 1, 1,           32,  1024,   131072, 131072, 131072});
  const auto found = segment(table, counts, mebi);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fill_up.count(), 0);
}

TEST(segment, measures_every_chunk_at_least_once) {
  const auto found = segment(table, written({}), mebi);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->repetitions, testing::Each(1));
}

TEST(segment, is_aligned_to_a_wider_stripe) {
  const auto found = segment(table, written({}), 64 * mebi);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->length, 64 * mebi);
  EXPECT_GT(found->fill_up, mebi);
}

TEST(segment, shrinks_to_a_limit_and_says_so) {
  const auto counts = written(
      {1, 10, 10, 10, 10, 10, 10, 10, 10, 1, 10, 10, 10, 10, 10, 10, 10, 1, 10, 10, 10, 10, 10, 10, 10});
  const auto found = segment(table, counts, mebi, 20 * mebi);
  ASSERT_TRUE(found);
  EXPECT_LE(found->length, 20 * mebi);
  EXPECT_TRUE(found->reduced);
  for (const auto r : found->repetitions) EXPECT_GE(r, 1u);
  EXPECT_FALSE(segment(table, counts, mebi, 3 * mebi));
}
