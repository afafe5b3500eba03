// SPDX-License-Identifier: Apache-2.0
// Compiled by itself, so that no caller gets a copy of the loop.
#include "suites/imb/matrix_vector.hpp"

#include <numeric>

namespace steelyard::imb {

// Signs alternate, so that no sum grows far beyond its neighbours however often it is added to.
MatrixVector::MatrixVector(int order)
    : order_(static_cast<std::size_t>(order)), matrix_(order_ * order_), x_(order_), y_(order_, 0.0F) {
  for (std::size_t i = 0; i < matrix_.size(); ++i)
    matrix_[i] = (i % 2 == 0 ? 1.0F : -1.0F) / static_cast<float>(i + 1);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = 1.0F / static_cast<float>(i + 1);
}

[[gnu::noinline]] void MatrixVector::multiply(std::uint64_t products) noexcept {
  for (std::uint64_t p = 0; p < products; ++p)
    for (std::size_t column = 0; column < order_; ++column) {
      const float factor = x_[column];
      const float* const values = matrix_.data() + column * order_;
      for (std::size_t row = 0; row < order_; ++row) y_[row] += values[row] * factor;
    }
}

double MatrixVector::operations_of_one() const {
  return 2.0 * static_cast<double>(order_) * static_cast<double>(order_);
}

double MatrixVector::sum() const {
  return std::accumulate(y_.begin(), y_.end(), 0.0);
}

}  // namespace steelyard::imb
