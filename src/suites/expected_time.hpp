// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "suites/suite.hpp"

/// Time that suites are expected to take, and what becomes of what does not fit into a budget.
namespace steelyard::suites {

/// Seconds that those points of the benchmarks take whose schedule is their own, as far as they can be
/// measured.
[[nodiscard]] inline double prescribed_s(const Suite& suite, std::span<const std::string> benchmarks,
                                         const World& world) {
  double sum = 0;
  for (const BlockPlan& block : suite.plan(benchmarks, world))
    for (const PointPlan& point : block.points)
      if (point.measurable()) sum += point.prescribed_s.value_or(0);
  return sum;
}

/// Seconds that a suite takes at least for figures that stand for the machine, and at most by its own rules.
struct TimeRange {
  double least_s = 0, most_s = 0;
};

/// What of a campaign's budget is one suite's.
struct TimeShare {
  double seconds = 0;
  double budget_s = 0;  // of the whole campaign
  /// The budget with which so many seconds would be the suite's, all shares in the same proportion.
  [[nodiscard]] double budget_for(double wanted_s) const {
    return seconds > 0 ? budget_s * wanted_s / seconds : budget_s;
  }
};

/// "needs --budget 3m": rounded up to what a user would type.
[[nodiscard]] inline std::string needs_budget(double budget_s) {
  constexpr double longest_s = 1e9;  // what no budget holds
  if (!(budget_s < longest_s)) return "needs more than any budget";
  constexpr double minute = 60, hour = 3600, some_minutes = 3 * minute, some_hours = 3 * hour;
  const auto up = [](double amount, double unit) { return static_cast<long>(std::ceil(amount / unit)); };
  if (budget_s <= some_minutes) return "needs --budget " + std::to_string(5 * up(budget_s, 5)) + "s";
  if (budget_s <= some_hours) return "needs --budget " + std::to_string(up(budget_s, minute)) + "m";
  return "needs --budget " + std::to_string(up(budget_s, hour)) + "h";
}

}  // namespace steelyard::suites
