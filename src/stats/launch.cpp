// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "stats/order.hpp"

namespace steelyard::stats {
namespace {

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

}  // namespace steelyard::stats
