// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/references.hpp"

#include <algorithm>
#include <cmath>

#include "stats/order.hpp"

namespace steelyard::balance {
namespace {

constexpr double same_x = 1e-9, at_point_share = 0.05, farthest = 2;

double power_law(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y * std::pow(x / a.x, std::log(b.y / a.y) / std::log(b.x / a.x));
}

double line(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

constexpr std::size_t fewest_references = 3;

bool counts_as_reference(const System& system) {
  return system.status == Status::measured || system.status == Status::mixed;
}

/// Value of a curve for a machine of the size of `own`, and its relative half-width.
struct Said {
  double value = 0, half_width = 0;
};

/// Value of the system whose number of processes is nearest; nullopt if no system has a value.
std::optional<Said> nearest_size(const Curve& curve, const Ratio& ratio, const System& own) {
  std::optional<Said> found;
  double distance = 0;
  for (const System* system : curve.systems) {
    if (!counts_as_reference(*system)) continue;
    const auto value = flagged_ratio(ratio, *system);
    const double apart = std::abs(std::log(std::max(1.0, system->size()) / std::max(1.0, own.size())));
    if (!value.counts() || (found && apart >= distance)) continue;
    found = Said{*value.value.value, value.value.half_width.value_or(0)};
    distance = apart;
  }
  return found;
}

std::optional<Said> said(const Curve& curve, const Ratio& ratio, const System& own, Method method) {
  const auto at = own.inputs.get(Quantity::hpl_flop_s);
  const auto points = tidy(ratio_points(curve, ratio));
  if (!at || points.empty()) return nearest_size(curve, ratio, own);
  if (*at <= points.front().x) return Said{points.front().y};
  if (*at >= points.back().x) return Said{points.back().y};
  return Said{*interpolate(points, *at, method).value};
}

bool better(const Ratio& ratio, const Said& reference, double own, double own_width) {
  const double margin = reference.half_width * reference.value + own_width * own;
  return ratio.lower_is_better ? reference.value < own - margin : reference.value > own + margin;
}

}  // namespace

std::vector<CurvePoint> tidy(std::vector<CurvePoint> points) {
  std::ranges::sort(points, {}, &CurvePoint::x);
  std::vector<CurvePoint> kept;
  for (const CurvePoint& point : points) {
    const bool repeats = !kept.empty() && point.x - kept.back().x <= same_x * kept.back().x;
    if (!repeats)
      kept.push_back(point);
    else if (point.y > kept.back().y)
      kept.back().y = point.y;
  }
  return kept;
}

std::string_view text(Reach reach) {
  switch (reach) {
    case Reach::interpolated:
      return "interpolated";
    case Reach::extrapolated:
      return "extrapolated";
    case Reach::at_point:
      return "at point";
    case Reach::out_of_range:
      break;
  }
  return "out of range";
}

Interpolated interpolate(std::vector<CurvePoint> points, double x, Method method) {
  points = tidy(std::move(points));
  if (points.empty()) return {};
  const CurvePoint &first = points.front(), &last = points.back();
  if (points.size() == 1)
    return std::abs(x / first.x - 1) <= at_point_share ? Interpolated{first.y, Reach::at_point}
                                                       : Interpolated{};
  if (x < first.x / farthest || x > last.x * farthest) return {};
  if (x < first.x) return {power_law(first, points[1], x), Reach::extrapolated};
  if (x > last.x) return {power_law(points[points.size() - 2], last, x), Reach::extrapolated};
  const auto above =
      std::ranges::find_if(points.begin() + 1, points.end() - 1, [&](const auto& p) { return p.x >= x; });
  const CurvePoint &a = *(above - 1), &b = *above;
  return {method == Method::linear ? line(a, b, x) : power_law(a, b, x), Reach::interpolated};
}

std::optional<double> scaling_exponent(std::vector<CurvePoint> points) {
  points = tidy(std::move(points));
  if (points.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0, products = 0, squares = 0;
  for (const auto& p : points) {
    mean_x += std::log(p.x) / n;
    mean_y += std::log(p.y) / n;
  }
  for (const auto& p : points) {
    products += (std::log(p.x) - mean_x) * (std::log(p.y) - mean_y);
    squares += (std::log(p.x) - mean_x) * (std::log(p.x) - mean_x);
  }
  return products / squares;
}

FlaggedRatio flagged_ratio(const Ratio& ratio, const System& system) {
  FlaggedRatio result{evaluate(ratio, system.inputs), {}};
  const auto told = system.told_ratios.find(std::string(ratio.id));
  if (!result.value.value && told != system.told_ratios.end()) result.value.value = told->second;
  if (result.value.value) result.flags = touching(flags(system), result.value.used);
  return result;
}

std::vector<Curve> curves(std::span<const System> systems) {
  std::vector<Curve> list;
  for (const System& system : systems) {
    const auto found = std::ranges::find(list, system.curve, &Curve::label);
    if (found == list.end())
      list.push_back({system.curve, {&system}});
    else
      found->systems.push_back(&system);
  }
  return list;
}

std::vector<CurvePoint> ratio_points(const Curve& curve, const Ratio& ratio) {
  std::vector<CurvePoint> points;
  for (const System* system : curve.systems) {
    const auto x = system->inputs.get(Quantity::hpl_flop_s);
    const auto y = flagged_ratio(ratio, *system);
    if (x && y.counts() && counts_as_reference(*system)) points.push_back({*x, *y.value.value});
  }
  return points;
}

Standing standing(const Ratio& ratio, const System& own, const FlaggedRatio& value,
                  std::span<const Curve> references, Method method) {
  std::vector<Said> all;
  for (const Curve& curve : references)
    if (const auto one = said(curve, ratio, own, method)) all.push_back(*one);
  Standing found{static_cast<int>(all.size()), {}, {}, {}};
  if (all.size() < fewest_references) return found;
  std::vector<double> values;
  for (const Said& one : all) values.push_back(one.value);
  found.median = stats::median(values);
  if (!value.counts()) return found;
  const double mine = *value.value.value, width = value.value.half_width.value_or(0);
  found.rank = 1 + static_cast<int>(std::ranges::count_if(
                       all, [&](const Said& one) { return better(ratio, one, mine, width); }));
  found.factor = ratio.lower_is_better ? *found.median / mine : mine / *found.median;
  return found;
}

}  // namespace steelyard::balance
