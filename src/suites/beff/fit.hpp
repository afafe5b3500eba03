// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/beff/settings.hpp"
#include "suites/expected_time.hpp"

namespace steelyard::beff {

/// The settings with the least departure from `best` that are expected to take at most the suite's time:
/// `best` itself, then shorter loops and fewer polygons, as -short, with two polygons, and in the end as
/// -test. Messages are always as long as the rule asks. What departs from it is told by departures(). Where
/// even the least takes longer nothing is measured (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// Of the last step and of the first.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::beff
