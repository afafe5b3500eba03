// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {
namespace {

using testing::ElementsAre;

const std::vector<std::string> chosen = {std::string(benchmark_name)};

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
  for (const int world : {54, 1009, 1024, 1 << 24}) EXPECT_EQ(hurried({}, world).processes, 32) << world;
}

TEST(ftio_definition, a_matrix_whose_bytes_cannot_be_counted_is_left_out) {
  const auto point = Definition({}).plan(chosen, 1009)[0].points[0];  // a prime: its least matrix has 17 EB
  EXPECT_EQ(point.skip, record::ReasonCode::space);
  EXPECT_EQ(point.bytes, 0);
  EXPECT_TRUE(Definition({}).plan(chosen, 1024)[0].points[0].measurable());
}

struct Row {
  int processes;
  std::int64_t step, usual, order;
  bool paper;
};

// FTIO paper, 5.5, for 4, 8, 16 and 32 processes; the others by the same rule.
constexpr Row rows[] = {{2, 2, 4, 32, true},        {3, 3, 3, 27, true},      {4, 2, 4, 64, true},
                        {5, 5, 5, 125, false},      {6, 6, 6, 216, true},     {8, 4, 4, 128, true},
                        {9, 3, 6, 324, true},       {12, 6, 6, 432, true},    {16, 4, 8, 1024, true},
                        {24, 12, 12, 3456, true},   {32, 8, 8, 2048, true},   {36, 6, 12, 5184, true},
                        {48, 12, 12, 6912, true},   {64, 8, 16, 16384, true}, {96, 24, 24, 55296, true},
                        {128, 16, 16, 32768, false}};

TEST(ftio_parameters, table_of_the_definition) {
  for (const Row& row : rows) {
    EXPECT_EQ(parameter_step(row.processes), row.step) << row.processes;
    EXPECT_EQ(default_parameter(row.processes), row.usual) << row.processes;
    EXPECT_EQ((Shape{row.processes, row.usual}.order()), row.order) << row.processes;
    EXPECT_EQ(valid_parameter(row.processes, paper_parameter), row.paper) << row.processes;
  }
}

TEST(ftio_parameters, matrices_of_the_seed_lie_in_the_middle_of_its_figures) {
  // Fig. 5: axes of the specified-input runs; Fig. 4: of i = 24.
  struct Axis {
    int processes;
    std::int64_t parameter;
    double low, high;
  };
  constexpr Axis axes[] = {{4, 4, 3600, 4600},     {8, 4, 14500, 18500}, {16, 8, 0.9e6, 1.2e6},
                           {32, 8, 3.7e6, 4.7e6},  {4, 24, 4.6e6, 6e6},  {8, 24, 1.9e7, 2.35e7},
                           {16, 24, 7.6e7, 9.4e7}, {32, 24, 3e8, 3.8e8}};
  for (const Axis& axis : axes) {
    const auto elements = static_cast<double>(Shape{axis.processes, axis.parameter}.elements());
    EXPECT_GT(elements, axis.low) << axis.processes;
    EXPECT_LT(elements, axis.high) << axis.processes;
  }
  EXPECT_EQ(valid_parameters(32, 2, 3), (std::vector<std::int64_t>{8, 16, 24}));  // "the third data point"
}

TEST(ftio_parameters, valid_are_those_whose_square_the_processes_divide) {
  for (int c = 1; c <= 130; ++c)
    for (std::int64_t i = 2; i <= 200; ++i) EXPECT_EQ(valid_parameter(c, i), i * i % c == 0) << c << ' ' << i;
  EXPECT_FALSE(valid_parameter(1, 1));
  EXPECT_FALSE(valid_parameter(4, 0));
  EXPECT_FALSE(valid_parameter(4, -4));
  EXPECT_FALSE(valid_parameter(4, std::int64_t{1} << 40));
}

TEST(ftio_parameters, default_is_the_lowest_valid_one_of_the_rule) {
  for (int c = 1; c <= 128; ++c) {
    std::int64_t least = 2;
    while (least * least % c != 0 || (least - 1) * (least - 1) < c) ++least;
    EXPECT_EQ(default_parameter(c), least) << c;
  }
}

TEST(ftio_parameters, neighbours_of_a_wrong_one_are_named) {
  EXPECT_THAT(nearest_parameters(4, 5), ElementsAre(4, 6));
  EXPECT_THAT(nearest_parameters(8, 3), ElementsAre(4));
  EXPECT_THAT(nearest_parameters(5, 24), ElementsAre(20, 25));
}

TEST(ftio_parameters, a_matrix_beyond_the_memory_is_the_smallest_of_twice_its_size) {
  for (int c : {2, 3, 6}) {
    const std::int64_t i = parameter_beyond(c, gibi);
    EXPECT_TRUE(valid_parameter(c, i));
    EXPECT_GE((Shape{c, i}.matrix()), 2 * gibi);
    EXPECT_LT((Shape{c, i - parameter_step(c)}.matrix()), 2 * gibi);
  }
}

TEST(ftio_parameters, a_matrix_beyond_the_memory_is_sought_as_long_as_its_bytes_can_be_counted) {
  EXPECT_EQ(parameter_beyond(1009, gibi), 1009);
  EXPECT_FALSE(valid_parameter(1009, 1009));
}

TEST(ftio_shape, figure_1_of_the_seed) {
  constexpr Shape shape{4, 4};
  EXPECT_EQ(shape.order(), 64);
  EXPECT_EQ(shape.band(), 16);  // width of a Square
  EXPECT_EQ(shape.part(), 4);
  EXPECT_EQ(shape.section(), Bytes{256});
  EXPECT_EQ(shape.file(), Bytes{16 * 4 * 4 * 4 * 4 * 4});
  EXPECT_EQ(shape.matrix(), Bytes{16 * 64 * 64});
}

TEST(ftio_volume, calls_of_the_timed_phases) {
  struct Row {
    int processes;
    std::int64_t parameter, calls;
  };
  constexpr Row rows[] = {{2, 4, 448}, {2, 8, 2816}, {2, 24, 62208}, {2, 64, 1097728}, {4, 24, 125568}};
  for (const Row& row : rows)
    EXPECT_EQ((timed_traffic({row.processes, row.parameter}).calls), row.calls) << row.processes;
}

TEST(ftio_volume, bytes_of_all_processes) {
  for (const Shape shape : {Shape{2, 4}, Shape{3, 6}, Shape{4, 24}, Shape{8, 8}}) {
    const Traffic one = timed_traffic(shape);
    const std::int64_t c = shape.processes, matrix = shape.matrix().count();
    EXPECT_EQ(c * (one.read_byte + one.written_byte), matrix * 7 + matrix * 2 * (c - 1) / c);
    EXPECT_EQ(traffic(shape, Phase::verify), (Traffic{matrix / c, 0, shape.order()}));
  }
}

TEST(ftio_volume, batches_save_calls_and_no_bytes) {
  constexpr Shape shape{3, 6};  // 108 rows, Squares of 36
  const Traffic single = timed_traffic(shape), batched = timed_traffic(shape, {5, 7});
  EXPECT_EQ(single.read_byte, batched.read_byte);
  EXPECT_EQ(traffic(shape, Phase::initialise, {5, 7}).calls, 22);
  EXPECT_EQ(traffic(shape, Phase::exchange, {5, 7}).calls, 2 * 2 * 6);
  EXPECT_EQ(traffic(shape, Phase::transpose, {5, 7}), traffic(shape, Phase::transpose));
}

TEST(ftio_volume, nominal_operations) {
  EXPECT_DOUBLE_EQ((flops(Shape{2, 8})), 10.0 * 128 * 128 * 7);
}

}  // namespace
}  // namespace steelyard::ftio
