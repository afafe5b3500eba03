// SPDX-License-Identifier: Apache-2.0
// Parts of lines of every width, whatever this processor has: what is narrower is what others run.
#include "suites/hpcc/foundation/lines.hpp"

#include <gtest/gtest.h>

namespace steelyard::hpcc {
namespace {

template <class Width>
class Lines : public testing::Test {};
using Widths = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>,
                              std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(Lines, Widths);

/// Vector `row` of a square holds 10 row, 10 row + 1, ...
template <class V>
void number(Square<V>& x) {
  for (int row = 0; row < width_of<V>; ++row)
    for (int column = 0; column < width_of<V>; ++column) x[row][column] = 10 * row + column;
}

TYPED_TEST(Lines, RowsBecomeColumns) {
  using V = typename VectorOf<TypeParam::value>::Type;
  Square<V> x;
  number<V>(x);
  transpose(x);
  for (int row = 0; row < width_of<V>; ++row)
    for (int column = 0; column < width_of<V>; ++column) EXPECT_EQ(x[row][column], 10 * column + row);
}

TYPED_TEST(Lines, PairsComeApartAndTogether) {
  using V = typename VectorOf<TypeParam::value>::Type;
  constexpr int width = width_of<V>;
  double pairs[2 * line_width], back[2 * line_width] = {};
  for (int i = 0; i < 2 * width; ++i) pairs[i] = i;
  auto first = load<V>(pairs), second = load<V>(pairs + width);
  unzip(first, second);
  for (int i = 0; i < width; ++i) {
    EXPECT_EQ(first[i], 2 * i);
    EXPECT_EQ(second[i], 2 * i + 1);
  }
  zip(first, second);
  store(back, first);
  store(back + width, second);
  for (int i = 0; i < 2 * width; ++i) EXPECT_EQ(back[i], i);
}

TEST(PartsOfLines, FillTheRegistersOfTheirInstructionSet) {
  EXPECT_EQ(width_of<Part<Isa::baseline>>, 2);
  EXPECT_EQ(width_of<Part<Isa::avx2>>, 4);
  EXPECT_EQ(width_of<Part<Isa::avx512>>, 8);
}

}  // namespace
}  // namespace steelyard::hpcc
