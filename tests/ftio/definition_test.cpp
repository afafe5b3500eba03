// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace steelyard::ftio {
namespace {

const std::vector<std::string> chosen = {std::string(benchmark_name)};

}  // namespace

TEST(ftio_definition, every_run_is_a_block_of_one_point) {
  Settings settings;
  settings.parameters = {4, 8};
  settings.runs = 3;
  const auto blocks = Definition(settings).plan(chosen, 4);
  ASSERT_EQ(blocks.size(), 6u);
  std::set<std::string> keys;
  for (const auto& block : blocks) {
    EXPECT_EQ(block.processes, 4);
    EXPECT_TRUE(block.files);
    ASSERT_EQ(block.points.size(), 1u);
    keys.insert(block.points[0].key);
  }
  EXPECT_EQ(keys.size(), 6u);
  EXPECT_EQ(blocks[4].points[0].key, "ftio/FTIO;input_parameter=8;processes=4;run=2");
  EXPECT_EQ(blocks[4].points[0].spec<RunSpec>().parameter, 8);
  EXPECT_EQ(blocks[4].points[0].spec<RunSpec>().run, 2);
}

TEST(ftio_definition, without_a_choice_the_rule_decides) {
  for (const auto& [processes, parameter] : {std::pair{4, 4}, {8, 4}, {16, 8}, {32, 8}, {1, 2}, {7, 7}}) {
    const auto blocks = Definition({}).plan(chosen, processes);
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(blocks[0].points[0].spec<RunSpec>().parameter, parameter);
    EXPECT_EQ(blocks[0].points[0].memory_byte, 8 * 16 * parameter * parameter);
  }
}

TEST(ftio_definition, departures_are_part_of_the_identity_and_told) {
  Settings settings;
  EXPECT_TRUE(departures(settings).empty());
  settings.access = FileAccess::shared;
  settings.cache = PageCache::drop;
  settings.batches = {4, 2};
  EXPECT_EQ(departures(settings).size(), 4u);
  EXPECT_EQ(
      Definition(settings).plan(chosen, 2)[0].points[0].key,
      "ftio/"
      "FTIO;exchange_rows=2;file_access=shared;input_parameter=4;page_cache=drop;processes=2;rows=4;run=1");
}

TEST(ftio_definition, what_a_phase_has_written_is_expected_on_its_way_to_the_disk) {
  Settings settings;
  settings.parameters = {32};
  suites::World fast{2, suites::assumed_rates()}, slow = fast;
  slow.rates.file_flush_byte_s = slow.rates.file_reflush_byte_s = fast.rates.file_flush_byte_s / 2;
  const auto seconds = [&](const suites::World& world) {
    return *Definition(settings).plan(chosen, world)[0].points[0].prescribed_s;
  };
  const Shape shape{2, 32};
  const double written_byte = static_cast<double>(timed_traffic(shape).written_byte);
  EXPECT_NEAR(seconds(slow) - seconds(fast), written_byte / fast.rates.file_flush_byte_s, 1e-6);
}

TEST(ftio_definition, lengths_without_large_prime_factors_are_expected_to_be_transformed_faster) {
  EXPECT_TRUE(smooth({2, 64}));
  EXPECT_TRUE(smooth({2, 42}));
  EXPECT_FALSE(smooth({2, 38}));
  EXPECT_FALSE(smooth({11, 11}));
  suites::World world{2, suites::assumed_rates()};
  Settings settings;
  settings.parameters = {64};
  const auto seconds = [&] { return *Definition(settings).plan(chosen, world)[0].points[0].prescribed_s; };
  const double before_s = seconds();
  world.rates.smooth_row_flop_s *= 2;
  EXPECT_LT(seconds(), before_s);
}

TEST(ftio_definition, a_hurried_campaign_keeps_its_matrix_small) {
  EXPECT_FALSE(hurried({}, 2).processes);
  EXPECT_FALSE(hurried({}, 32).processes);
  const Settings many = hurried({}, 31);  // 31 is prime: its least matrix has 14 GB
  ASSERT_TRUE(many.processes);
  EXPECT_LE((Shape{*many.processes, default_parameter(*many.processes)}.matrix()), 128 * mebi);
  EXPECT_EQ(Definition(many).plan(chosen, 31)[0].processes, *many.processes);
}

}  // namespace steelyard::ftio
