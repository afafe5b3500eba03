// SPDX-License-Identifier: Apache-2.0
#include "stats/histogram.hpp"

#include <cassert>
#include <cmath>
#include <numeric>

namespace steelyard::stats {
namespace {

constexpr double alpha = 0.005;
constexpr double gamma_ratio = (1 + alpha) / (1 - alpha);
constexpr double nanosecond = 1e-9;

std::size_t slot(int bin) {
  return static_cast<std::size_t>(bin + 1);
}

}  // namespace

int Histogram::bin(double seconds) {
  if (!(seconds > 0)) return -1;
  const double index = std::ceil(std::log(seconds / nanosecond) / std::log(gamma_ratio));
  if (index < 0) return -1;
  return index > last_bin ? last_bin + 1 : static_cast<int>(index);
}

double Histogram::value(int bin) {
  return 2 * std::pow(gamma_ratio, bin) / (gamma_ratio + 1) * nanosecond;
}

void Histogram::add(double seconds) {
  ++counts_[slot(bin(seconds))];
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::uint64_t Histogram::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

double Histogram::quantile(double p) const {
  const std::uint64_t n = count();
  assert(n > 0);
  auto before = static_cast<std::uint64_t>(std::floor(p * static_cast<double>(n - 1)));
  std::size_t i = 0;
  while (before >= counts_[i]) before -= counts_[i++];
  return value(static_cast<int>(i) - 1);
}

}  // namespace steelyard::stats
