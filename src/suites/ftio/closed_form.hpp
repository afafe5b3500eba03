// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "suites/ftio/settings.hpp"

/// The matrix that is transformed, and its expected transform. Source: FTIO paper, 3.3; how its damaged
/// formulas are read: docs/suites/ftio.md, "Input and expected output". Pure.
namespace steelyard::ftio {

/// Element of the input at column and row, 0 .. order - 1.
[[nodiscard]] Complex input(std::int64_t column, std::int64_t row, std::int64_t order);
/// Element of the transform as it is stored: transposed, and not divided by anything.
[[nodiscard]] Complex expected(std::int64_t column, std::int64_t row, std::int64_t order);

/// Largest difference of an element that counts as rounding: some hundred times what was ever seen, and below
/// 1, the smallest term, up to an order of two millions.
[[nodiscard]] double largest_difference(std::int64_t order);

/// The same by row sections: columns first .. first + columns - 1. Holds a table of one section.
class ClosedForm {
 public:
  ClosedForm(std::int64_t order, std::int64_t first, std::int64_t columns);
  void input_row(std::int64_t row, std::span<Complex> section) const;
  void expected_row(std::int64_t row, std::span<Complex> section) const;

 private:
  /// Adds to the element of that column if it is one of ours.
  void add(std::span<Complex> section, std::int64_t column, Complex value) const;

  std::int64_t order_, first_;
  std::vector<Complex> wave_;  // exp(-2 pi sqrt(-1) column / order)
};

}  // namespace steelyard::ftio
