// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/beffio/settings.hpp"
#include "suites/expected_time.hpp"

namespace steelyard::beffio {

/// `best` with the longest scheduled time, at most its own, whose patterns are expected to take at most the
/// suite's time, each once at least. Where that does not suffice: as hurried(). Where even that takes longer
/// nothing is measured (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// As hurried() with the shortest schedule, and by the rule.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::beffio
