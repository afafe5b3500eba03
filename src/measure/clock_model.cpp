// SPDX-License-Identifier: Apache-2.0
#include "measure/clock_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double slow_factor = 1.5;
constexpr std::size_t fewest_points = 10;
constexpr double shortest_span_s = 0.1;

struct OffsetAt {
  double x_s, offset_s;
};

/// The exchanges that were not delayed, as offsets in order of time.
std::vector<OffsetAt> quick_ones(std::span<const Exchange> exchanges) {
  std::vector<Exchange> sorted(exchanges.begin(), exchanges.end());
  std::ranges::stable_sort(sorted, {}, &Exchange::round_trip_s);
  const double limit = slow_factor * sorted.front().round_trip_s();
  const auto within = std::ranges::upper_bound(sorted, limit, {}, &Exchange::round_trip_s) - sorted.begin();
  sorted.resize(std::min(sorted.size(), std::max(static_cast<std::size_t>(within), fewest_points)));
  std::vector<OffsetAt> points;
  for (const Exchange& e : sorted) points.push_back({e.middle_s(), e.offset_s()});
  std::ranges::sort(points, {}, &OffsetAt::x_s);
  return points;
}

double theil_sen_slope(const std::vector<OffsetAt>& points) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double distance = points[j].x_s - points[i].x_s;
      if (distance > 0) slopes.push_back((points[j].offset_s - points[i].offset_s) / distance);
    }
  }
  return slopes.empty() ? 0 : stats::median(std::move(slopes));
}

}  // namespace

ClockModel fit_clock(std::span<const Exchange> best) {
  if (best.empty()) throw std::invalid_argument("a clock model needs at least one exchange");
  const std::vector<OffsetAt> points = quick_ones(best);
  const double span_s = points.back().x_s - points.front().x_s;
  ClockModel model;
  model.x0_s = points.front().x_s + span_s / 2;
  model.slope = span_s < shortest_span_s ? 0 : theil_sen_slope(points);
  std::vector<double> rest;
  for (const OffsetAt& p : points) rest.push_back(p.offset_s - model.slope * (p.x_s - model.x0_s));
  model.offset_s = stats::median(std::move(rest));
  return model;
}

}  // namespace steelyard::measure
