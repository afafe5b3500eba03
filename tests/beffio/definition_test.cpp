// SPDX-License-Identifier: Apache-2.0
// The plan: order, blocks, identities, settings.
#include "suites/beffio/definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

using namespace steelyard;
using namespace steelyard::beffio;

namespace {

Settings two_partitions() {
  Settings settings;
  settings.memory_mebibyte = 512;
  settings.partitions = {1, 2};
  return settings;
}

const std::vector<std::string> all = {std::string(benchmark_name)};

std::vector<std::string> order(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& stretch : stretches(settings, 2))
    words.push_back(std::string(text(stretch.access)) + std::to_string(stretch.processes));
  return words;
}

}  // namespace

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

TEST(plan, promises_about_the_scheduled_time) {
  double seconds = 0;
  for (const auto& block : Definition(two_partitions()).plan(all, 2))
    for (const auto& point : block.points) seconds += point.prescribed_s.value_or(0);
  EXPECT_GT(seconds, 1800);
  EXPECT_LT(seconds, 1830);
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

TEST(identity, names_access_and_pattern) {
  const auto table = pattern_table(2 * mebi);
  for (const auto access : accesses)
    for (const auto& pattern : table) {
      const auto found = which(identity(access, pattern));
      EXPECT_EQ(found.access, access);
      EXPECT_EQ(found.pattern, pattern.number);
    }
  EXPECT_THROW(static_cast<void>(which({})), std::invalid_argument);
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
