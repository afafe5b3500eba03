// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/transpose.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "suites/hpcc/ptrans/data.hpp"

using namespace steelyard::hpcc;

namespace {

constexpr std::int64_t from_stride = 50, to_stride = 47;

double number(std::size_t i) {
  return static_cast<double>(i) + 0.5;
}

std::vector<double> numbered(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = number(i);
  return values;
}

}  // namespace

TEST(transpose, every_block_shape_is_moved_and_nothing_else) {
  const auto from = numbered(50 * 50);
  for (const auto& [rows, columns] :
       {std::pair{8, 8}, {1, 1}, {7, 9}, {16, 24}, {17, 23}, {40, 3}, {3, 40}, {0, 5}}) {
    std::vector<double> copied(47 * 50, -1.0), added = copied, plain = copied;
    copy_transposed({rows, columns}, copied.data(), to_stride, from.data(), from_stride);
    add_transposed({rows, columns}, added.data(), to_stride, from.data(), from_stride);
    add_block({rows, columns}, plain.data(), to_stride, from.data(), from_stride);
    for (std::int64_t j = 0; j < 50; ++j)
      for (std::int64_t i = 0; i < to_stride; ++i) {
        const bool inside = i < rows && j < columns;
        const auto at = static_cast<std::size_t>(i + j * to_stride);
        const double across = number(static_cast<std::size_t>(j + i * from_stride));
        ASSERT_EQ(copied[at], inside ? across : -1);
        ASSERT_EQ(added[at], inside ? across - 1 : -1);
        ASSERT_EQ(plain[at], inside ? number(static_cast<std::size_t>(i + j * from_stride)) - 1 : -1);
      }
  }
}

TEST(route, every_block_travels_once_between_its_owners) {
  for (const Grid grid : {Grid{1, 1}, {2, 3}, {3, 2}, {4, 6}, {2, 2}, {1, 5}, {6, 4}})
    for (const std::int64_t n : {1, 20, 131}) {
      const GridMatrix matrix{n, 4, grid};
      std::set<std::pair<std::int64_t, std::int64_t>> seen;
      for (int from = 0; from < grid.processes(); ++from)
        for (const auto& one : routes_from(matrix, from))
          for (const auto bi : one.row_blocks)
            for (const auto bj : one.column_blocks) {
              EXPECT_TRUE(seen.emplace(bi, bj).second);
              EXPECT_EQ(bi % grid.rows, matrix.row_of(from));
              EXPECT_EQ(bj % grid.columns, matrix.column_of(from));
              EXPECT_EQ(bj % grid.rows, matrix.row_of(one.partner));
              EXPECT_EQ(bi % grid.columns, matrix.column_of(one.partner));
            }
      const auto blocks = static_cast<std::size_t>(matrix.rows().blocks());
      EXPECT_EQ(seen.size(), blocks * blocks);
    }
}

TEST(route, receiver_expects_what_the_sender_sends) {
  const GridMatrix matrix{131, 4, {2, 3}};
  for (int to = 0; to < 6; ++to)
    for (const auto& one : routes_to(matrix, to)) {
      const auto sent = route(matrix, one.partner, to);
      EXPECT_EQ(sent.row_blocks, one.row_blocks);
      EXPECT_EQ(sent.column_blocks, one.column_blocks);
      EXPECT_EQ(sent.height, one.height);
    }
}
