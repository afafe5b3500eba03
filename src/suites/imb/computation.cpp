// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/computation.hpp"

#include <algorithm>
#include <array>
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
  const double wanted = std::floor(target.value() * rate_flop_s / kernel.operations_of_one());
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, 1e15));
}

// Number of short slices. At least half of them are undisturbed, however busy the processor is with others:
// their median is the rate.
constexpr int slices = 25;

double rate_of(MatrixVector& kernel, const Now& now) {
  const auto products =
      static_cast<std::uint64_t>(std::ceil(least_operations / slices / kernel.operations_of_one()));
  std::array<double, slices> seconds{};
  for (double& one : seconds) one = time_of(kernel, products, now);
  std::ranges::nth_element(seconds, seconds.begin() + slices / 2);
  return static_cast<double>(products) * kernel.operations_of_one() / std::max(seconds[slices / 2], 1e-9);
}

// A block that misses its target by more has been made by the rate of another time, unless it has so few
// products that their number alone explains it.
constexpr double on_target = 0.05;
constexpr std::uint64_t fewest_corrected = 20;

double undisturbed_time_of(MatrixVector& kernel, std::uint64_t products, const Now& now) {
  constexpr double alike = 0.01;
  double least = time_of(kernel, products, now);
  for (int more = 0; more < 2; ++more) {
    const double again = time_of(kernel, products, now);
    const bool settled = std::abs(again - least) <= alike * least;
    least = std::min(least, again);
    if (settled) break;
  }
  return least;
}

}  // namespace

ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now) {
  ComputedBlock block;
  block.rate_flop_s = rate_of(kernel, now);
  block.products = products_of(kernel, block.rate_flop_s, target);
  block.seconds = undisturbed_time_of(kernel, block.products, now);
  return block;
}

ComputedBlock rescale(MatrixVector& kernel, const ComputedBlock& block, Seconds target, const Now& now) {
  ComputedBlock result = block;
  result.products = products_of(kernel, block.rate_flop_s, target);
  result.seconds = undisturbed_time_of(kernel, result.products, now);
  const bool missed = std::abs(result.seconds - target.value()) > on_target * target.value();
  if (!missed || result.products < fewest_corrected || !(result.seconds > 0)) return result;
  result.rate_flop_s = static_cast<double>(result.products) * kernel.operations_of_one() / result.seconds;
  result.products = products_of(kernel, result.rate_flop_s, target);
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

double weighted_median(std::vector<std::pair<double, std::uint64_t>> values) {
  std::ranges::sort(values);
  std::uint64_t all = 0, below = 0;
  for (const auto& [value, weight] : values) all += weight;
  for (const auto& [value, weight] : values)
    if (2 * (below += weight) >= all) return value;
  return 0;
}

void OverlapTimes::begin(std::uint64_t operations, double pure_s, double block_s, double product_s) {
  samples_.push_back({.announced = operations,
                      .operations = 0,
                      .sums = {.pure_s = pure_s, .block_s = block_s, .product_s = product_s}});
}

void OverlapTimes::add(std::uint64_t operations, double overlapped_s, double computing_s) noexcept {
  if (samples_.empty()) return;
  Sample& sample = samples_.back();
  if (sample.operations + operations > sample.announced) return;
  sample.operations += operations;
  sample.sums.overlapped_s += overlapped_s;
  sample.sums.computing_s += computing_s;
}

OverlapFigures OverlapTimes::per_operation(const Sample& sample) {
  OverlapFigures figures = sample.sums;
  const auto operations = static_cast<double>(std::max<std::uint64_t>(sample.operations, 1));
  figures.overlapped_s /= operations;
  figures.computing_s /= operations;
  return figures;
}

OverlapFigures OverlapTimes::median() const {
  const auto over_samples = [this](double OverlapFigures::*figure) {
    std::vector<std::pair<double, std::uint64_t>> values;
    for (const Sample& sample : samples_)
      values.emplace_back(per_operation(sample).*figure, sample.operations);
    return weighted_median(std::move(values));
  };
  return {.pure_s = over_samples(&OverlapFigures::pure_s),
          .overlapped_s = over_samples(&OverlapFigures::overlapped_s),
          .computing_s = over_samples(&OverlapFigures::computing_s),
          .block_s = over_samples(&OverlapFigures::block_s),
          .product_s = over_samples(&OverlapFigures::product_s)};
}

}  // namespace steelyard::imb
