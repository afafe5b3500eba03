// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/computation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suites/imb/schedule.hpp"

namespace steelyard::imb {
namespace {

constexpr double least_operations = 5e7;

double time_of(MatrixVector& kernel, std::uint64_t products, const Now& now) {
  const double start = now();
  kernel.multiply(products);
  return now() - start;
}

std::uint64_t products_of(const MatrixVector& kernel, double rate_flop_s, Seconds target) {
  const double wanted = std::round(target.value() * rate_flop_s / kernel.operations_of_one());
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, 1e15));
}

double undisturbed_time_of(MatrixVector& kernel, std::uint64_t products, const Now& now) {
  double least = time_of(kernel, products, now);
  for (int more = 0; more < 2; ++more) least = std::min(least, time_of(kernel, products, now));
  return least;
}

}  // namespace

// Signs alternate, so that no sum grows far beyond its neighbours however often it is added to.
MatrixVector::MatrixVector(int order)
    : order_(static_cast<std::size_t>(order)), matrix_(order_ * order_), x_(order_), y_(order_, 0.0F) {
  for (std::size_t i = 0; i < matrix_.size(); ++i)
    matrix_[i] = (i % 2 == 0 ? 1.0F : -1.0F) / static_cast<float>(i + 1);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = 1.0F / static_cast<float>(i + 1);
}

void MatrixVector::multiply(std::uint64_t products) noexcept {
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

ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now) {
  ComputedBlock block;
  block.products = static_cast<std::uint64_t>(std::ceil(least_operations / kernel.operations_of_one()));
  block.seconds = undisturbed_time_of(kernel, block.products, now);
  block.rate_flop_s =
      static_cast<double>(block.products) * kernel.operations_of_one() / std::max(block.seconds, 1e-9);
  block.products = products_of(kernel, block.rate_flop_s, target);
  block.seconds = undisturbed_time_of(kernel, block.products, now);
  return block;
}

ComputedBlock rescale(MatrixVector& kernel, const ComputedBlock& block, Seconds target, const Now& now) {
  ComputedBlock result = block;
  result.products = products_of(kernel, block.rate_flop_s, target);
  result.seconds = time_of(kernel, result.products, now);
  return result;
}

void Computation::prepare(int order, Seconds target) {
  if (kernel_) return;
  kernel_.emplace(order);
  block_ = calibrate(*kernel_, target, steady_seconds);
}

double overlap_percent(double pure_s, double compute_s, double overlapped_s) {
  const double shorter = std::min(pure_s, compute_s);
  if (!(shorter > 0)) return 0;
  return std::clamp(100 * (pure_s + compute_s - overlapped_s) / shorter, 0.0, 100.0);
}

}  // namespace steelyard::imb
