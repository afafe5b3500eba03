// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/computation.hpp"

#include <algorithm>
#include <cmath>

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
  result.seconds = undisturbed_time_of(kernel, result.products, now);
  return result;
}

void Computation::prepare(int order, Seconds target) {
  if (kernel_) return;
  kernel_.emplace(order);
  block_ = calibrate(*kernel_, target, steady_seconds);
}

double overlap_percent(double pure_s, double compute_s, double overlapped_s, OverlapOf of) {
  const auto [shorter, longer] = std::minmax(pure_s, compute_s);
  const double whole = of == OverlapOf::shorter ? shorter : of == OverlapOf::longer ? longer : pure_s;
  if (!(whole > 0)) return 0;
  return std::clamp(100 * (pure_s + compute_s - overlapped_s) / whole, 0.0, 100.0);
}

}  // namespace steelyard::imb
