// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/overlap_times.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::imb {

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

void OverlapTimes::set_request(double making_s, double freeing_s) noexcept {
  making_s_ = making_s;
  freeing_s_ = freeing_s;
}

OverlapFigures OverlapTimes::with_request(OverlapFigures figures) const {
  figures.making_s = making_s_;
  figures.freeing_s = freeing_s_;
  return figures;
}

OverlapFigures OverlapTimes::last() const {
  return with_request(samples_.empty() ? OverlapFigures{} : per_operation(samples_.back()));
}

OverlapFigures OverlapTimes::median() const {
  const auto over_samples = [this](double OverlapFigures::*figure) {
    std::vector<std::pair<double, std::uint64_t>> values;
    for (const Sample& sample : samples_)
      values.emplace_back(per_operation(sample).*figure, sample.operations);
    return weighted_median(std::move(values));
  };
  return with_request({.pure_s = over_samples(&OverlapFigures::pure_s),
                       .overlapped_s = over_samples(&OverlapFigures::overlapped_s),
                       .computing_s = over_samples(&OverlapFigures::computing_s),
                       .block_s = over_samples(&OverlapFigures::block_s),
                       .product_s = over_samples(&OverlapFigures::product_s)});
}

}  // namespace steelyard::imb
