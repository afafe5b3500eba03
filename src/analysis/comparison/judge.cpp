// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/compare.hpp"
#include "stats/confidence.hpp"

namespace steelyard::comparison {
namespace {

constexpr double z80 = 0.84;
constexpr std::size_t enough_for_ranks = 5, enough_for_many_points = 8, enough_pairs_for_many_points = 12;

std::vector<double> medians(std::span<const Value> launches) {
  std::vector<double> list;
  for (const Value& value : launches) list.push_back(value.median);
  return list;
}

std::vector<double> logs(std::span<const Value> launches) {
  std::vector<double> list;
  for (const Value& value : launches) list.push_back(std::log(value.median));
  return list;
}

/// Half-width of the interval of ln, as a standard deviation.
std::optional<double> standard_error(const Value& value) {
  if (!value.interval || !(value.interval->low > 0)) return std::nullopt;
  return std::log(value.interval->high / value.interval->low) / 2 / stats::z95;
}

/// Variance of ln of a side's median.
std::optional<double> variance(std::span<const Value> launches, double between) {
  if (launches.size() > 1) return between / static_cast<double>(launches.size());
  const auto error = standard_error(launches.front());
  return error ? std::optional(*error * *error + between) : std::nullopt;
}

double two_sided(double z) {
  return std::erfc(z / std::numbers::sqrt2);
}

/// Rows 2 and 3 of the definition: a normal interval of ln ratio.
void estimate_by_spread(Point& point, const Values& values, const Spread& spread) {
  const auto a = variance(values.base, spread.base), b = variance(values.now, spread.now);
  if (!a || !b) {
    point.test = Test::threshold_only;
    return;
  }
  const double s = std::sqrt(*a + *b), centre = std::log(*point.ratio);
  point.interval = stats::Interval{std::exp(centre - stats::z95 * s), std::exp(centre + stats::z95 * s)};
  point.p = two_sided(std::abs(centre) / s);
  const bool single = values.base.size() == 1 || values.now.size() == 1;
  point.test = single ? Test::single_launch : Test::launches;
}

void estimate_by_ranks(Point& point, const Values& values, const Spread& spread, std::size_t points) {
  const auto a = medians(values.base), b = medians(values.now);
  if (points > 1 && std::min(a.size(), b.size()) < enough_for_many_points)
    estimate_by_spread(point, values, spread);
  else
    point.p = stats::mann_whitney(a, b).p;
  const auto estimated = stats::hodges_lehmann_ratio(a, b);
  point.ratio = estimated.ratio;
  point.interval = estimated.interval;
  point.cliffs_delta = stats::cliffs_delta(a, b);
  point.test = Test::rank;
}

void estimate_by_pairs(Point& point, const Values& values, const Spread& spread, std::size_t points) {
  const auto differences = pair_logs(values);
  const auto n = static_cast<double>(differences.size());
  const double s = std::sqrt(spread.pair / n), centre = stats::median(differences);
  point.ratio = std::exp(centre);
  point.interval = stats::Interval{std::exp(centre - stats::z95 * s), std::exp(centre + stats::z95 * s)};
  point.p = two_sided(std::abs(centre) / s);
  point.test = Test::pairs;
  if (differences.size() < stats::fewest_pairs) return;
  const auto estimated = stats::paired_ratio(differences);
  point.ratio = estimated.ratio;
  point.interval = estimated.interval;
  if (points == 1 || differences.size() >= enough_pairs_for_many_points)
    point.p = stats::wilcoxon(differences).p;
}

}  // namespace

std::vector<double> pair_logs(const Values& values) {
  std::vector<double> list;
  for (std::size_t i = 0; i < std::min(values.base.size(), values.now.size()); ++i)
    list.push_back(std::log(values.now[i].median / values.base[i].median));
  return list;
}

void Pool::add(std::span<const Value> launches) {
  add_logs(logs(launches));
}

void Pool::add_logs(std::span<const double> all) {
  if (all.size() < 2) return;
  double centre = 0;
  for (const double x : all) centre += x / static_cast<double>(all.size());
  for (const double x : all) squares_ += (x - centre) * (x - centre);
  freedom_ += all.size() - 1;
}

std::optional<double> Pool::variance() const {
  return freedom_ == 0 ? std::nullopt : std::optional(squares_ / static_cast<double>(freedom_));
}

void estimate(Point& point, const Values& values, const Spread& spread, std::size_t points,
              const Options& options) {
  point.ratio = std::exp(stats::median(logs(values.now)) - stats::median(logs(values.base)));
  if (options.launches == Launches::paired && values.base.size() > 1)
    estimate_by_pairs(point, values, spread, points);
  else if (std::min(values.base.size(), values.now.size()) >= enough_for_ranks)
    estimate_by_ranks(point, values, spread, points);
  else
    estimate_by_spread(point, values, spread);
  if (options.bootstrap > 0 && point.test != Test::threshold_only)
    point.interval = resampled(values, options);
}

int launches_needed(const Spread& spread, const Options& options) {
  const bool paired = options.launches == Launches::paired;
  const double power = stats::z95 + z80, effect = std::log(1 + options.threshold);
  const double variance = paired ? spread.pair : 2 * std::max(spread.base, spread.now);
  const std::size_t least = paired ? stats::fewest_pairs : enough_for_ranks;
  return std::max(static_cast<int>(least),
                  static_cast<int>(std::ceil(power * power * variance / (effect * effect))));
}

}  // namespace steelyard::comparison
