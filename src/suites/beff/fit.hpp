// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/beff/settings.hpp"

namespace steelyard::beff {

/// The settings with the least departure from `best` that are expected to take at most `seconds`: `best`
/// itself, then shorter loops and fewer polygons, as -short, with two polygons, with messages of at most 32
/// MiB or 8 MiB, and in the end as -test with messages of at most 64 KiB. What departs from the rule is told
/// by departures().
[[nodiscard]] Settings fitted(const Settings& best, double seconds, int processes);

}  // namespace steelyard::beff
