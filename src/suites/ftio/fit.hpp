// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/expected_time.hpp"
#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {

/// `best` with the largest input parameter whose runs are expected to take at most the suite's time and whose
/// matrix is at most 1 GiB; its own parameters where that is none. Fewer runs where even those take longer;
/// nothing is measured where one does (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// One run with the usual parameter, and all runs with the largest one.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::ftio
