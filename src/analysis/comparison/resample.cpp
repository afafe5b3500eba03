// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/comparison/judge.hpp"
#include "stats/compare.hpp"

namespace steelyard::comparison {
namespace {

constexpr int mean_samples = 1000;
constexpr std::uint64_t seed = 1;  // equal inputs give equal intervals

/// Draws with replacement.
class Dice {
 public:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  std::vector<std::size_t> choice(std::size_t n) {
    std::vector<std::size_t> list(n);
    for (std::size_t& one : list) one = below(n);
    return list;
  }

 private:
  std::mt19937_64 engine_{seed};
};

double redrawn(const Value& launch, Dice& dice) {
  if (launch.visits.empty()) return launch.median;
  std::vector<double> visits;
  for (const std::size_t i : dice.choice(launch.visits.size())) visits.push_back(launch.visits[i]);
  return stats::median(visits);
}

double redrawn_median(const std::vector<Value>& launches, Dice& dice) {
  std::vector<double> medians;
  for (const std::size_t i : dice.choice(launches.size())) medians.push_back(redrawn(launches[i], dice));
  return stats::median(medians);
}

double log_median(const std::vector<Value>& launches, const std::vector<std::size_t>& chosen) {
  std::vector<double> logs;
  for (const std::size_t i : chosen)
    if (i < launches.size()) logs.push_back(std::log(launches[i].median));
  if (!logs.empty()) return stats::median(logs);
  for (const Value& value : launches) logs.push_back(std::log(value.median));
  return stats::median(logs);
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> list(n);
  for (std::size_t i = 0; i < n; ++i) list[i] = i;
  return list;
}

/// Median of the pairs that were drawn; of all, where none of them has this point.
double paired_median(const Values& values, const std::vector<std::size_t>& chosen) {
  const auto all = pair_logs(values);
  std::vector<double> drawn;
  for (const std::size_t i : chosen)
    if (i < all.size()) drawn.push_back(all[i]);
  return stats::median(drawn.empty() ? all : drawn);
}

/// What was drawn: launches of each side, or pairs of them.
struct Drawn {
  std::vector<std::size_t> base, now;
  Launches launches;
};

double mean_log(std::span<const Values* const> points, const Drawn& drawn) {
  double sum = 0;
  for (const Values* values : points)
    sum += drawn.launches == Launches::paired
               ? paired_median(*values, drawn.base)
               : log_median(values->now, drawn.now) - log_median(values->base, drawn.base);
  return sum / static_cast<double>(points.size());
}

double redrawn_ratio(const Values& values, Launches launches, Dice& dice) {
  if (launches == Launches::independent)
    return std::log(redrawn_median(values.now, dice) / redrawn_median(values.base, dice));
  std::vector<double> logs;
  for (const std::size_t i : dice.choice(std::min(values.base.size(), values.now.size())))
    logs.push_back(std::log(redrawn(values.now[i], dice) / redrawn(values.base[i], dice)));
  return stats::median(logs);
}

stats::Interval percentiles(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto at = [&](double share) { return std::exp(stats::quantile(samples, share)); };
  return {at(stats::tail95), at(1 - stats::tail95)};
}

}  // namespace

stats::Interval resampled(const Values& values, const Options& options) {
  Dice dice;
  std::vector<double> ratios;
  for (int i = 0; i < options.bootstrap; ++i) ratios.push_back(redrawn_ratio(values, options.launches, dice));
  return percentiles(std::move(ratios));
}

/// Launches are drawn once for all points; a few launches cannot show less than the spread that is believed.
Mean mean(std::span<const Values* const> points, const Spread& spread, Launches launches) {
  Mean result;
  result.points = points.size();
  std::size_t base = 0, now = 0;
  for (const Values* values : points) {
    base = std::max(base, values->base.size());
    now = std::max(now, values->now.size());
  }
  const double centre = mean_log(points, {all_of(base), all_of(now), launches});
  result.ratio = std::exp(centre);
  const double variance = launches == Launches::paired ? spread.pair / static_cast<double>(base)
                                                       : spread.base / static_cast<double>(base) +
                                                             spread.now / static_cast<double>(now);
  const double least = stats::z95 * std::sqrt(variance);
  Dice dice;
  std::vector<double> samples{centre};
  for (int i = 1; i < mean_samples && std::max(base, now) > 1; ++i) {
    auto chosen = dice.choice(base);
    samples.push_back(mean_log(points, {std::move(chosen), dice.choice(now), launches}));
  }
  const auto drawn = percentiles(std::move(samples));
  result.interval = stats::Interval{std::min(drawn.low, std::exp(centre - least)),
                                    std::max(drawn.high, std::exp(centre + least))};
  return result;
}

}  // namespace steelyard::comparison
