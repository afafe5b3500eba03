// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/compare.hpp"
#include "stats/moments.hpp"

namespace steelyard::acceptance {
namespace {

constexpr std::size_t enough_for_order = 6, enough_for_rank_ratio = 5;
constexpr double z_power = 0.84;  // of 80 %
constexpr double most_launches = 100;

std::vector<double> values_of(const Item& item) {
  std::vector<double> list;
  for (const Reading& one : item.readings) list.push_back(one.value);
  return list;
}

double log_spread(const std::vector<double>& values) {
  stats::Moments logs;
  for (const double value : values) logs.add(std::log(value));
  return logs.sd();
}

stats::Interval log_interval(double centre, double half) {
  return {centre * std::exp(-half), centre * std::exp(half)};
}

Estimate extreme(const Item& item, Combine combine) {
  const bool smallest = (combine == Combine::best) == item.lower_is_better;
  const auto [low, high] = std::ranges::minmax_element(item.readings, {}, &Reading::value);
  const Reading& taken = smallest ? *low : *high;
  return {taken.value, {}, 0, item.readings.size(), taken.launch};
}

}  // namespace

Estimate estimate(const Item& item, Combine combine, double level, double pooled) {
  if (combine != Combine::median && combine != Combine::mean) return extreme(item, combine);
  auto values = values_of(item);
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const double z = stats::normal_quantile(level);
  Estimate found{stats::median(values), {}, 0, values.size(), 0};
  if (combine == Combine::mean) found.value = std::accumulate(values.begin(), values.end(), 0.0) / n;
  found.spread =
      values.size() < 2 ? least_spread : std::max({log_spread(values), std::sqrt(pooled), least_spread});
  if (values.size() == 1) {
    const double inside = item.readings.front().half_log;
    found.interval = log_interval(found.value, std::hypot(inside, z * least_spread));
  } else if (combine == Combine::median && values.size() >= enough_for_order) {
    found.spread = log_spread(values);
    found.interval = stats::median_interval(values, level);
  }
  if (!found.interval) found.interval = log_interval(found.value, z * found.spread / std::sqrt(n));
  return found;
}

std::optional<stats::Interval> against(const Estimate& value, const Item& of, const Estimate& reference,
                                       const Item& reference_of, Combine combine) {
  if (!value.interval || !reference.interval) return value.interval;
  if (combine == Combine::median && std::min(value.launches, reference.launches) >= enough_for_rank_ratio) {
    const auto ratio = stats::hodges_lehmann_ratio(values_of(reference_of), values_of(of));
    return stats::Interval{ratio.interval.low * reference.value, ratio.interval.high * reference.value};
  }
  const auto half = [](const stats::Interval& one) { return std::log(one.high / one.low) / 2; };
  return log_interval(value.value, std::hypot(half(*value.interval), half(*reference.interval)));
}

std::optional<int> launches_needed(double value_over_limit, double spread, double level) {
  const double distance = std::abs(std::log(value_over_limit));
  const double root = (stats::normal_quantile(level) + z_power) * spread / distance;
  if (!(distance > 0) || root * root > most_launches) return std::nullopt;
  return std::max(1, static_cast<int>(std::ceil(root * root)));
}

}  // namespace steelyard::acceptance
