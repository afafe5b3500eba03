// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/shared_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "solved.hpp"

namespace steelyard::hpcc::hpl {
namespace {

class SharedRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!rows_.available()) GTEST_SKIP() << "one process, or no shared memory";
  }
  [[nodiscard]] Shape shape_at(int process_row) const {
    Shape shape = shape_;
    shape.at.row = process_row;
    return shape;
  }

  Variant variant_ = small({world().size(), 1}, several_panels);
  Shape shape_ = shape_of(variant_, world().rank());
  SharedRows rows_{world(), shape_, 1};
};

TEST_F(SharedRowsTest, who_comes_first_takes_every_row_of_all_once) {
  rows_.offer();
  world().barrier();
  for (int row = 0; world().is_root() && row < world().size(); ++row) {
    std::int64_t next = 0;
    const auto all = shape_at(row).local_rows();
    while (const auto range = rows_.take(row, all, 1, 3)) {
      EXPECT_EQ(range->first, next);
      EXPECT_TRUE(range->count >= 1 && range->count <= 3);
      next += range->count;
      rows_.finish(row, *range);
    }
    EXPECT_EQ(next, all);
  }
  rows_.await(shape_.local_rows(), {});
  EXPECT_FALSE(rows_.take(world().rank(), shape_.local_rows(), 1, 3).has_value());
}

TEST_F(SharedRowsTest, rows_of_another_product_are_not_taken) {
  rows_.offer();
  world().barrier();
  if (world().is_root()) rows_.offer();
  const int other = world().is_root() ? 1 : 0;
  world().barrier();
  EXPECT_FALSE(rows_.take(other, shape_at(other).local_rows(), 1, 9).has_value());
}

TEST_F(SharedRowsTest, all_see_the_same_matrix_and_panels_of_each) {
  const auto mark = [](double* at, double value) { *at = value; };
  mark(rows_.matrix(world().rank()), 1 + world().rank());
  mark(rows_.panel(world().rank(), 7), -1 - world().rank());
  world().barrier();
  for (int row = 0; row < world().size(); ++row) {
    EXPECT_EQ(*rows_.matrix(row), 1 + row);
    EXPECT_EQ(*rows_.panel(row, 8), -1 - row) << "one slot has all of them";
  }
  world().barrier();
}

}  // namespace
}  // namespace steelyard::hpcc::hpl
