// SPDX-License-Identifier: Apache-2.0
// Files without gaps and overlaps, and what of them is read back.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "suites/beffio/patterns.hpp"

using namespace steelyard;
using namespace steelyard::beffio;

namespace {

constexpr int processes = 3;

struct Case {
  PatternTable table = pattern_table(2 * mebi);
  Repetitions calls{};
  Bytes segment;
};

Case run_of(PatternType type) {
  Case run;
  const Span span = patterns_of(type);
  for (std::size_t p = span.first; p <= span.last(); ++p) run.calls[p] = 1 + p % 3;
  if (!size_driven(type)) return run;
  run.calls[span.last()] = 1;
  std::int64_t used = 0;
  for (std::size_t p = span.first; p < span.last(); ++p) used += bytes_of(run.table[p], run.calls[p]);
  run.segment = ((used + mebi.count() - 1) / mebi.count()) * mebi;
  run.table[span.last()].disk = run.table[span.last()].memory = run.segment - Bytes{used};
  return run;
}

/// Begin and end of all chunks of one file.
std::map<std::int64_t, std::int64_t> chunks(const Case& run, PatternType type, const std::set<int>& ranks) {
  const Layout layout(run.table, type, run.calls, processes, run.segment);
  std::map<std::int64_t, std::int64_t> found;
  const Span span = patterns_of(type);
  for (std::size_t p = span.first; p <= span.last(); ++p)
    for (const int rank : ranks)
      for (std::uint64_t call = 0; call < run.calls[p]; ++call)
        for (std::int64_t k = 0; k < run.table[p].chunks(); ++k) {
          const auto at = layout.offset(static_cast<int>(p), {rank, call, k});
          EXPECT_TRUE(found.emplace(at, at + run.table[p].disk.count()).second) << p << ' ' << at;
        }
  return found;
}

void expect_no_gaps(const std::map<std::int64_t, std::int64_t>& chunks, std::int64_t bytes) {
  std::int64_t end = 0;
  for (const auto& [begin, after] : chunks) {
    ASSERT_EQ(begin, end);
    end = after;
  }
  EXPECT_EQ(end, bytes);
}

std::int64_t bytes_of_type(const Case& run, PatternType type) {
  const Span span = patterns_of(type);
  std::int64_t sum = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p) sum += bytes_of(run.table[p], run.calls[p]);
  return sum;
}

}  // namespace

TEST(layout, files_of_all_processes_have_neither_gaps_nor_overlaps) {
  for (const auto type : {PatternType::scatter, PatternType::shared, PatternType::segmented,
                          PatternType::segmented_collective}) {
    const Case run = run_of(type);
    expect_no_gaps(chunks(run, type, {0, 1, 2}), processes * bytes_of_type(run, type));
  }
}

TEST(layout, a_separate_file_begins_with_its_first_pattern) {
  const Case run = run_of(PatternType::separated);
  for (const int rank : {0, 2})
    expect_no_gaps(chunks(run, PatternType::separated, {rank}), bytes_of_type(run, PatternType::separated));
}

TEST(layout, segments_lie_side_by_side) {
  const Case run = run_of(PatternType::segmented);
  const Layout layout(run.table, PatternType::segmented, run.calls, processes, run.segment);
  EXPECT_EQ(layout.segment_begin(2), 2 * run.segment.count());
  EXPECT_EQ(layout.offset(25, {2, 0, 0}), layout.segment_begin(2));
}

TEST(parts_to_read, cover_every_word_once_where_all_are_wanted) {
  const PatternTable table = pattern_table(2 * mebi);
  std::int64_t words = 0;
  for (const Part& part : parts_to_read(table[6], 3, ReadBack::all)) words += part.count;
  EXPECT_EQ(words, 3 * table[6].memory.count() / 8);
}

TEST(parts_to_read, hold_first_and_last_word_of_first_and_last_call) {
  const PatternTable table = pattern_table(1024 * mebi);
  for (const int p : {1, 5, 8, 10, 13}) {
    const Pattern& pattern = table[static_cast<std::size_t>(p)];
    const auto parts = parts_to_read(pattern, 1000, ReadBack::sample);
    const auto& first = parts.front();
    const auto& last = parts.back();
    EXPECT_TRUE(first.call == 0 && first.chunk == 0 && first.first == 0);
    EXPECT_TRUE(last.call == 999 && last.chunk == pattern.chunks() - 1);
    EXPECT_EQ(last.first + last.count, pattern.disk.count() / 8);
    std::int64_t words = 0;
    for (const Part& part : parts) words += part.count;
    EXPECT_LE(words * 8, 5 * 3 * 3 * 64 * 1024);
  }
}

TEST(parts_to_read, are_none_of_an_empty_fill_up) {
  Pattern fill_up = pattern_table(2 * mebi)[33];
  EXPECT_TRUE(parts_to_read(fill_up, 1, ReadBack::sample).empty());
  fill_up.disk = fill_up.memory = Bytes{8};
  EXPECT_EQ(parts_to_read(fill_up, 1, ReadBack::sample).size(), 1u);
}
