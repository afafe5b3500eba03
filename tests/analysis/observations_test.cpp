// SPDX-License-Identifier: Apache-2.0
// Points of launches that are handed over one by one, and their tables for programs.
#include "analysis/comparison/observations.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace steelyard::comparison {
namespace {

using Sizes = std::vector<std::int64_t>;
using Side = Observations::Side;

record::PointRecord point(std::int64_t size, double time_s) {
  record::PointRecord record;
  record.suite = "imb-mpi1";
  record.benchmark = "Allreduce";
  record.processes = 2;
  record.params = {{"message_byte", size}};
  record.key = record::make_key(record.suite, record.benchmark, 2, 1, 1, record.params);
  record.primary = "time_s";
  record::Statistics time;
  time.median = time_s;
  time.ci = {0.99 * time_s, 1.01 * time_s};
  record.metrics = {{"time_s", time}};
  return record;
}

void take_launch(Observations& taken, Side side, const Sizes& sizes, double time_s) {
  taken.begin(side, {});
  for (const std::int64_t size : sizes) taken.add(point(size, time_s));
}

/// Ratio and launches of both sides by the key's size, in the order of the points.
std::vector<std::string> told(const Comparison& compared) {
  std::vector<std::string> list;
  for (const Point& one : compared.points)
    list.push_back(std::to_string(std::get<std::int64_t>(*record::find(*one.what->params, "message_byte"))) +
                   ": " + std::to_string(one.base_launches) + " and " + std::to_string(one.new_launches) +
                   (one.ratio ? ", " + std::to_string(*one.ratio) : ""));
  return list;
}

TEST(observations, meet_in_whatever_order_launches_have_them) {
  Observations taken({});
  take_launch(taken, Side::base, {1, 2, 3, 4}, 1e-6);
  take_launch(taken, Side::base, {4, 1, 2, 5}, 1e-6);
  take_launch(taken, Side::now, {2, 3, 1, 6}, 2e-6);
  take_launch(taken, Side::now, {1, 2, 3, 6}, 2e-6);
  EXPECT_EQ(told(compare(std::move(taken))),
            (std::vector<std::string>{"1: 2 and 2, 2.000000", "2: 2 and 2, 2.000000", "3: 1 and 2, 2.000000",
                                      "4: 2 and 0", "5: 1 and 0", "6: 0 and 2"}));
}

TEST(rows, without_the_metric_are_left_out_of_very_many) {
  constexpr std::int64_t points = 5000;  // more than a thread takes at a time
  Options options;
  options.metric = "bandwidth_byte_s";
  Observations taken(options);
  for (const Side side : {Side::base, Side::now}) {
    taken.begin(side, {});
    for (std::int64_t i = 0; i < points; ++i) {
      record::PointRecord one = point(i, 1e-6);
      if (i % 3 != 0) one.metrics.emplace_back("bandwidth_byte_s", side == Side::base ? 1e9 : 2e9);
      taken.add(one);
    }
  }
  const Comparison compared = compare(std::move(taken));
  EXPECT_EQ(compared.without_metric, 1667U);
  std::vector<std::string> expected;
  for (std::int64_t i = 0; i < points; ++i)
    if (i % 3 != 0) expected.push_back(std::to_string(i) + ": 1 and 1, 2.000000");
  EXPECT_EQ(told(compared), expected);
}

TEST(texts, come_in_the_order_of_the_tables) {
  constexpr int most_processes = 1500;  // a table each
  Observations taken({});
  for (const Side side : {Side::base, Side::now}) {
    taken.begin(side, {});
    for (int processes = 1; processes <= most_processes; ++processes) {
      record::PointRecord one = point(1, 1e-6);
      one.processes = processes;
      one.key += std::to_string(processes);
      taken.add(one);
    }
  }
  const Comparison compared = compare(std::move(taken));
  std::vector<std::string> titles, texts;
  for (const analysis::Section& section : tables(compared)) titles.push_back(section.title);
  each_text(
      compared, Sort::plan, analysis::Audience::all,
      [](const analysis::Section& section, bool is_first) {
        return (is_first ? "first" : "") + section.title;
      },
      [&texts](std::string_view text) { texts.emplace_back(text); });
  ASSERT_GT(titles.size(), std::size_t{most_processes});
  titles.front().insert(0, "first");
  EXPECT_EQ(texts, titles);
}

TEST(tables_for_programs, hold_the_same_as_those_for_all) {
  Observations taken({});
  take_launch(taken, Side::base, {1, 2, 3}, 1e-6);
  take_launch(taken, Side::now, {1, 2, 4}, 2e-6);
  const Comparison compared = compare(std::move(taken));
  std::vector<analysis::Table> all, for_programs;
  for (const analysis::Section& section : tables(compared))
    if (section.id == "points") all.push_back(section.table);
  const auto keep = [&](const analysis::Section& section, bool /*is_first*/) {
    EXPECT_EQ(section.id, "points");
    for_programs.push_back(section.table);
    return std::string();
  };
  each_text(compared, Sort::plan, analysis::Audience::programs, keep, [](std::string_view) {});
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(for_programs.size(), 1U);
  ASSERT_EQ(for_programs[0].rows.size(), all[0].rows.size());
  for (std::size_t row = 0; row < all[0].rows.size(); ++row) {
    std::size_t same = 0;
    for (std::size_t c = 0; c < all[0].columns.size(); ++c) {
      if (all[0].columns[c].shown == analysis::Audience::readers) continue;
      EXPECT_EQ(for_programs[0].columns.at(same).key, all[0].columns[c].key);
      EXPECT_EQ(for_programs[0].rows[row].at(same++).value, all[0].rows[row][c].value);
    }
    EXPECT_EQ(for_programs[0].rows[row].size(), same);
  }
}

}  // namespace
}  // namespace steelyard::comparison
