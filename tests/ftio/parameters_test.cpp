// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {
namespace {

using testing::ElementsAre;

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

}  // namespace

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

TEST(ftio_shape, figure_1_of_the_seed) {
  constexpr Shape shape{4, 4};
  EXPECT_EQ(shape.order(), 64);
  EXPECT_EQ(shape.band(), 16);  // width of a Square
  EXPECT_EQ(shape.part(), 4);
  EXPECT_EQ(shape.section(), Bytes{256});
  EXPECT_EQ(shape.file(), Bytes{16 * 4 * 4 * 4 * 4 * 4});
  EXPECT_EQ(shape.matrix(), Bytes{16 * 64 * 64});
}

}  // namespace steelyard::ftio
