// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/fit.hpp"

#include <algorithm>
#include <array>

#include "suites/beff/definition.hpp"

namespace steelyard::beff {
namespace {

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// As -short, but loops of 2 ms.
Settings long_loops(const Settings& best) {
  Settings settings = hurried(best);
  settings.loop_time_s = 2e-3;
  return settings;
}

/// As -short, but a fifteenth of the polygons.
Settings few_polygons(const Settings& best) {
  Settings settings = hurried(best);
  settings.polygons = 2;
  return settings;
}

/// From the rule down.
std::array<Settings, 5> steps(const Settings& best) {
  return {best, long_loops(best), hurried(best), few_polygons(best), tested(few_polygons(best))};
}

}  // namespace

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  const auto all = steps(best);
  const auto found = std::ranges::find_if(
      all, [&](const Settings& settings) { return expected_s(settings, world) <= time.seconds; });
  if (found != all.end()) return *found;
  Settings least = all.back();
  least.needs_budget_s = time.budget_for(expected_s(least, world));
  return least;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  const auto all = steps(best);
  return {expected_s(all.back(), world), expected_s(all.front(), world)};
}

}  // namespace steelyard::beff
