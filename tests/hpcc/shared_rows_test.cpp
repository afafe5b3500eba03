// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/shared_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "solved.hpp"

namespace steelyard::hpcc::hpl {
namespace {

class SharedRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!rows_.available()) GTEST_SKIP() << "one process, or no shared memory";
  }
  /// Product of which the places are as many as the rank is large.
  [[nodiscard]] Product product_of(int rank) const {
    const std::int64_t number = 1 + rank;
    return {number,
            10 + number,
            4,
            2,
            {rows_.matrix() + 2 * number, 3},
            {rows_.panel(7), 5},
            {rows_.matrix() + number, 6},
            blas::Op::transposed};
  }

  Variant variant_ = small({world().size(), 1}, several_panels);
  Shape shape_ = shape_of(variant_, world().rank());
  SharedRows rows_{world(), shape_, 1, nullptr};
};

TEST_F(SharedRowsTest, who_comes_first_takes_every_row_of_all_once) {
  rows_.offer(product_of(world().rank()));
  world().barrier();
  for (int member = 0; world().is_root() && member < world().size(); ++member) {
    auto left = product_of(member).rows;
    EXPECT_TRUE(rows_.has_rows(member));
    while (const auto some = rows_.take(member, 1, 3)) {
      EXPECT_TRUE(some->rows >= 1 && some->rows <= 3);
      left -= some->rows;
      rows_.finish(member, some->rows);
    }
    EXPECT_EQ(left, 0);
  }
  world().barrier();
  EXPECT_TRUE(rows_.finished());
  EXPECT_FALSE(rows_.has_rows(world().rank()));
  EXPECT_FALSE(rows_.take(world().rank(), 1, 3).has_value());
}

TEST_F(SharedRowsTest, product_is_not_finished_before_all_who_took_rows_say_so) {
  rows_.offer(product_of(world().rank()));
  world().barrier();
  const int next = (world().rank() + 1) % world().size();
  const auto some = rows_.take(next, 2, 2);
  ASSERT_TRUE(some);
  world().barrier();
  while (const auto own = rows_.take(world().rank(), 1, 100)) rows_.finish(world().rank(), own->rows);
  EXPECT_FALSE(rows_.finished());
  world().barrier();
  rows_.finish(next, some->rows);
  world().barrier();
  EXPECT_TRUE(rows_.finished());
}

TEST_F(SharedRowsTest, others_find_matrix_panel_and_rows_of_u_where_they_lie) {
  const double number = world().rank() + 1;
  const auto own = product_of(world().rank());
  std::fill_n(rows_.matrix(), 100, number);
  for (std::int64_t i = 0; i < own.rows; ++i) {
    rows_.panel(7)[i] = number + 0.01 * static_cast<double>(i);
    own.c(i, 0) = -number - 0.01 * static_cast<double>(i);
  }
  *rows_.matrix() = 0;
  rows_.matrix()[world().rank() + 1] = 100 * number;
  rows_.offer(own);
  world().barrier();
  const int member = (world().rank() + 1) % world().size();
  const double theirs = member + 1;
  const auto all = product_of(member);
  const auto some = rows_.take(member, 2, 2);
  world().barrier();
  ASSERT_TRUE(some);
  EXPECT_EQ(some->rows, 2);
  EXPECT_EQ(some->panel, all.panel);
  EXPECT_EQ(some->columns, all.columns);
  EXPECT_EQ(some->depth, all.depth);
  EXPECT_EQ(some->of_u, all.of_u);
  EXPECT_EQ(some->c.leading, all.c.leading);
  EXPECT_EQ(some->l.leading, all.l.leading);
  EXPECT_EQ(some->u.leading, all.u.leading);
  const auto first = static_cast<double>(all.rows - 2);
  EXPECT_EQ(*some->c.data, -theirs - 0.01 * first);
  EXPECT_EQ(*some->l.data, theirs + 0.01 * first);
  EXPECT_EQ(*some->u.data, 100 * theirs);
}

}  // namespace
}  // namespace steelyard::hpcc::hpl
