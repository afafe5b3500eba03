// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/fit.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "suites/beffio/definition.hpp"

namespace steelyard::beffio {
namespace {

constexpr double step = 0.9;
constexpr double shortest_s = 0.1;  // scheduled: two thousandths for the shortest pattern

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// Part of the expected time in which files are written initially.
double writing_share(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  double writing = 0, all = 0;
  for (const auto& block : Definition(settings).plan(names, world))
    for (const auto& point : block.points) {
      all += point.prescribed_s.value_or(0);
      if (point.spec<PatternSpec>().access == Access::write) writing += point.prescribed_s.value_or(0);
    }
  return all > 0 ? writing / all : 1;
}

/// The same chunks, less time.
std::optional<Settings> shortened(Settings settings, double seconds, const suites::World& world) {
  for (; settings.total_s > shortest_s; settings.total_s *= step)
    if (expected_s(settings, world) <= seconds) return settings;
  return std::nullopt;
}

Settings least(const Settings& best, const suites::World& world) {
  Settings settings = hurried(best, world.processes);
  settings.total_s = shortest_s;
  return settings;
}

}  // namespace

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  auto found = shortened(best, time.seconds, world);
  if (!found) found = shortened(hurried(best, world.processes), time.seconds, world);
  if (found) {
    if (found->total_s < best.total_s) found->allowed_write_s = time.seconds * writing_share(*found, world);
    return *found;
  }
  Settings settings = least(best, world);
  settings.needs_budget_s = time.budget_for(expected_s(settings, world));
  return settings;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  return {expected_s(least(best, world), world), expected_s(best, world)};
}

}  // namespace steelyard::beffio
