// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/references.hpp"

#include <algorithm>
#include <cmath>

#include "stats/order.hpp"

namespace steelyard::balance {
namespace {

constexpr std::size_t fewest_references = 3;

bool counts_as_reference(const System& system) {
  return system.status == Status::measured || system.status == Status::mixed;
}

/// What a curve says about a machine of the size of `own`, and its relative half-width.
struct Said {
  double value = 0, half_width = 0;
};

/// Of the systems with a value, the one of the nearest number of processes.
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
