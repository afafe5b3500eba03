// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/closed_form.hpp"

#include <cmath>

#include "fourier/transforms.hpp"

namespace steelyard::ftio {

using fourier::root;

Complex input(std::int64_t column, std::int64_t row, std::int64_t order) {
  Complex value = std::conj(root(column, order)) + std::conj(root(row, order));
  if (row == (column + 1) % order) value += 1;
  if (column == 0 && row == 1) value += 1;
  return value;
}

Complex expected(std::int64_t column, std::int64_t row, std::int64_t order) {
  const double n = static_cast<double>(order);
  const Complex wave = root(column, order);
  Complex value = wave;
  if ((column + row) % order == 0) value += n * wave;
  if ((column == 1 && row == 0) || (column == 0 && row == 1)) value += n * n;
  return value;
}

double largest_difference(std::int64_t order) {
  const double n = static_cast<double>(order);
  return 1e-14 * n * n * std::log2(n);
}

ClosedForm::ClosedForm(std::int64_t order, std::int64_t first, std::int64_t columns)
    : order_(order), first_(first) {
  wave_.reserve(static_cast<std::size_t>(columns));
  for (std::int64_t k = 0; k < columns; ++k) wave_.push_back(root(first + k, order));
}

void ClosedForm::add(std::span<Complex> section, std::int64_t column, Complex value) const {
  const std::int64_t k = column - first_;
  if (k >= 0 && k < static_cast<std::int64_t>(section.size())) section[static_cast<std::size_t>(k)] += value;
}

void ClosedForm::input_row(std::int64_t row, std::span<Complex> section) const {
  const Complex along = std::conj(root(row, order_));
  for (std::size_t k = 0; k < section.size(); ++k) section[k] = std::conj(wave_[k]) + along;
  add(section, (row + order_ - 1) % order_, 1);
  if (row == 1) add(section, 0, 1);
}

void ClosedForm::expected_row(std::int64_t row, std::span<Complex> section) const {
  const double n = static_cast<double>(order_);
  for (std::size_t k = 0; k < section.size(); ++k) section[k] = wave_[k];
  const std::int64_t diagonal = (order_ - row) % order_;
  add(section, diagonal, n * root(diagonal, order_));
  if (row < 2) add(section, 1 - row, n * n);
}

}  // namespace steelyard::ftio
