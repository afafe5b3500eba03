// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/closed_form.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fourier/transforms.hpp"

namespace steelyard::ftio {
namespace {

using fourier::root;

/// Two series of transforms by their definition, stored transposed.
std::vector<Complex> direct_transform(std::int64_t n) {
  const auto at = [n](std::int64_t column, std::int64_t row) {
    return static_cast<std::size_t>(row * n + column);
  };
  std::vector<Complex> rows(static_cast<std::size_t>(n * n)), all(rows.size());
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t column = 0; column < n; ++column)
        rows[at(k, row)] += input(column, row, n) * root(column * k, n);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t f = 0; f < n; ++f)
      for (std::int64_t row = 0; row < n; ++row) all[at(f, k)] += rows[at(k, row)] * root(row * f, n);
  return all;
}

}  // namespace

TEST(closed_form, is_the_transform_of_the_input) {
  for (const std::int64_t n : {4, 27, 32, 36, 64}) {
    const auto found = direct_transform(n);
    for (std::int64_t row = 0; row < n; ++row)
      for (std::int64_t column = 0; column < n; ++column)
        ASSERT_LT(std::abs(found[static_cast<std::size_t>(row * n + column)] - expected(column, row, n)),
                  largest_difference(n))
            << n << ": " << column << ", " << row;
  }
}

TEST(closed_form, terms_stand_where_they_must) {
  for (const std::int64_t n : {27, 32, 64}) {
    const double order = static_cast<double>(n);
    EXPECT_NEAR(std::abs(input(0, 0, n) - Complex(2, 0)), 0, 1e-15);
    // Both the diagonal below the main one and the spike.
    EXPECT_NEAR(std::abs(input(0, 1, n) - (Complex(3, 0) + std::conj(root(1, n)))), 0, 1e-14);
    EXPECT_NEAR(std::abs(input(n - 1, 0, n) - (std::conj(root(n - 1, n)) + Complex(2, 0))), 0, 1e-14);
    EXPECT_NEAR(std::abs(input(1, 0, n) - (std::conj(root(1, n)) + Complex(1, 0))), 0, 1e-14);
    EXPECT_NEAR(std::abs(expected(0, 0, n)), 1 + order, 1e-9);
    EXPECT_NEAR(std::abs(expected(1, 0, n) - (root(1, n) + order * order)), 0, 1e-9);
    EXPECT_NEAR(std::abs(expected(0, 1, n) - (1 + order * order)), 0, 1e-9);
    EXPECT_NEAR(std::abs(expected(1, n - 1, n) - root(1, n) * (1 + order)), 0, 1e-9);
    EXPECT_NEAR(std::abs(expected(2, 2, n)), 1, 1e-12);
  }
}

TEST(closed_form, sections_are_parts_of_the_matrix) {
  constexpr std::int64_t n = 27, columns = 9;
  for (std::int64_t first = 0; first < n; first += columns) {
    const ClosedForm form(n, first, columns);
    std::vector<Complex> in(columns), out(columns);
    for (std::int64_t row = 0; row < n; ++row) {
      form.input_row(row, in);
      form.expected_row(row, out);
      for (std::int64_t k = 0; k < columns; ++k) {
        EXPECT_LT(std::abs(in[static_cast<std::size_t>(k)] - input(first + k, row, n)), 1e-14);
        EXPECT_LT(std::abs(out[static_cast<std::size_t>(k)] - expected(first + k, row, n)), 1e-11);
      }
    }
  }
}

TEST(closed_form, wrong_readings_are_beyond_the_bound) {
  constexpr std::int64_t n = 64;
  // The index of the row instead of the column: in the dense term, in the diagonal.
  EXPECT_GT(std::abs(root(5, n) - root(9, n)), largest_difference(n));
  EXPECT_GT(64 * std::abs(root(5, n) - root(n - 5, n)), largest_difference(n));
  EXPECT_LT(largest_difference(2'000'000), 1);
}

}  // namespace steelyard::ftio
