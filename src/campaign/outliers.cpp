// SPDX-License-Identifier: Apache-2.0
#include "campaign/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "record/value.hpp"

namespace steelyard::campaign {
namespace {

using Points = std::span<const Measured>;

/// Next point of the series in one direction of size; nullptr at the end of the curve.
template <class Closer>
const Measured* neighbour(Points points, const Measured& of, Closer closer) {
  const Measured* best = nullptr;
  for (const Measured& other : points) {
    if (other.series != of.series || !other.time_s || !closer(other.bytes, of.bytes)) continue;
    if (best == nullptr || closer(best->bytes, other.bytes)) best = &other;
  }
  return best;
}

double position(std::int64_t bytes) {
  return std::log(static_cast<double>(bytes) + 1);
}

double interpolated_s(const Measured& below, const Measured& above, std::int64_t bytes) {
  const double share =
      (position(bytes) - position(below.bytes)) / (position(above.bytes) - position(below.bytes));
  return std::exp((1 - share) * std::log(*below.time_s) + share * std::log(*above.time_s));
}

bool is_outlier(Points points, const Measured& point) {
  if (point.noisy) return true;
  if (!point.time_s || *point.time_s <= 0) return false;
  const Measured* below = neighbour(points, point, std::less<>());
  const Measured* above = neighbour(points, point, std::greater<>());
  if (below == nullptr || above == nullptr || *below->time_s <= 0 || *above->time_s <= 0) return false;
  const double ratio = *point.time_s / interpolated_s(*below, *above, point.bytes);
  return std::max(ratio, 1 / ratio) > outlier_factor;
}

}  // namespace

std::string series_of(const suites::PointPlan& point) {
  record::Params common = point.params;
  for (const std::string& name : point.size_params) common.erase(name);
  return record::make_key("", "", 1, 1, 1, common);
}

std::vector<std::size_t> outliers(Points points) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (is_outlier(points, points[i])) found.push_back(i);
  return found;
}

}  // namespace steelyard::campaign
