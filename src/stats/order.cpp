// SPDX-License-Identifier: Apache-2.0
#include "stats/order.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace steelyard::stats {
namespace {

constexpr std::size_t largest_exact = 200;

/// Number of k with Prob(Bin(n, 1/2) <= k) <= tail, which is the largest l of median_interval_rank.
std::size_t exact_rank(std::size_t n, double tail) {
  double term = std::ldexp(1.0, -static_cast<int>(n)), sum = term;
  std::size_t k = 0;
  while (sum <= tail) {
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    sum += term;
    ++k;
  }
  return k;
}

std::size_t normal_rank(std::size_t n, double level) {
  const auto count = static_cast<double>(n);
  const double l = std::floor((count - normal_quantile(level) * std::sqrt(count)) / 2);
  return l < 1 ? 0 : static_cast<std::size_t>(l);
}

std::optional<Interval> join(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b) return a ? a : b;
  return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::size_t disturbed(std::vector<double> visit) {
  if (visit.empty()) return 0;
  std::sort(visit.begin(), visit.end());
  const double low = quantile(visit, 0.25), high = quantile(visit, 0.75);
  const auto first = std::upper_bound(visit.begin(), visit.end(), high + 3 * (high - low));
  return static_cast<std::size_t>(visit.end() - first);
}

}  // namespace

double normal_quantile(double level) {
  double low = 0, high = 40;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::numbers::sqrt2) < level ? low : high) = middle;
  }
  return std::round(100 * low) / 100;
}

double quantile(std::span<const double> ascending, double p) {
  assert(!ascending.empty());
  const double h = static_cast<double>(ascending.size() - 1) * p;
  const auto below = static_cast<std::size_t>(std::floor(h));
  if (below + 1 >= ascending.size()) return ascending.back();
  return std::lerp(ascending[below], ascending[below + 1], h - std::floor(h));
}

/// As the quantile, but only the middle is put in its place.
double median(std::vector<double> values) {
  assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::lerp(*std::max_element(values.begin(), middle), *middle, 0.5);
}

std::optional<std::size_t> median_interval_rank(std::size_t n, double level) {
  const std::size_t l = n > largest_exact ? normal_rank(n, level) : exact_rank(n, (1 - level) / 2);
  return l == 0 ? std::nullopt : std::optional{l};
}

std::optional<Interval> median_interval(std::span<const double> ascending, double level) {
  const auto l = median_interval_rank(ascending.size(), level);
  if (!l) return std::nullopt;
  return Interval{ascending[*l - 1], ascending[ascending.size() - *l]};
}

double relative_half_width(const Interval& interval, double median) {
  return (interval.high - interval.low) / (2 * median);
}

std::vector<double> thin(std::span<const double> values, std::size_t limit) {
  if (values.size() <= limit) return {values.begin(), values.end()};
  std::vector<double> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(values[i * values.size() / limit]);
  return kept;
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) {
    if (!(x > 0)) throw std::domain_error("geometric mean of a value that is not positive");
    sum += std::log(x);
  }
  if (values.empty()) throw std::domain_error("geometric mean of no values");
  return std::exp(sum / static_cast<double>(values.size()));
}

LaunchInterval launch_interval(std::span<const double> ascending_batches, std::vector<double> visit_medians,
                               double half_grid) {
  std::sort(visit_medians.begin(), visit_medians.end());
  LaunchInterval result;
  result.batches = median_interval(ascending_batches);
  result.visits = median_interval(visit_medians);
  result.both = join(result.batches, result.visits);
  if (!result.both || ascending_batches.empty()) return result;
  const double middle = quantile(ascending_batches, 0.5);
  result.both = join(result.both, Interval{middle - half_grid, middle + half_grid});
  return result;
}

double autocorrelation(std::span<const std::vector<double>> visits) {
  double products = 0, squares = 0;
  for (const std::vector<double>& visit : visits) {
    const double centre = visit.empty() ? 0 : mean(visit);
    for (std::size_t i = 0; i < visit.size(); ++i) {
      squares += (visit[i] - centre) * (visit[i] - centre);
      if (i > 0) products += (visit[i - 1] - centre) * (visit[i] - centre);
    }
  }
  return squares > 0 ? products / squares : 0;
}

double disturbed_share(std::span<const std::vector<double>> visits) {
  std::size_t all = 0, bad = 0;
  for (const std::vector<double>& visit : visits) {
    all += visit.size();
    bad += disturbed(visit);
  }
  return all == 0 ? 0 : static_cast<double>(bad) / static_cast<double>(all);
}

void Moments::add(double value) {
  min_ = n_ == 0 ? value : std::min(min_, value);
  max_ = n_ == 0 ? value : std::max(max_, value);
  ++n_;
  const double from_old_mean = value - mean_;
  mean_ += from_old_mean / static_cast<double>(n_);
  m2_ += from_old_mean * (value - mean_);
}

double Moments::sd() const {
  return n_ < 2 ? 0 : std::sqrt(m2_ / static_cast<double>(n_ - 1));
}

}  // namespace steelyard::stats
