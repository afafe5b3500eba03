// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "suites/hpcc/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::hpcc {

/// The settings with the sizes and repetitions with which these benchmarks are expected to use `time` by the
/// rates of the world; grids are those of the settings, NB too if `own_block`, else the best by the rates.
/// Every test is at least as large as it must be to stand for the machine. Where the time does not suffice
/// for that, there are fewer repetitions, then fewer tests, the least important ones first (left_out); where
/// there is more, the linear solver grows until it is close to its efficiency at half of the memory, then all
/// tests grow to the published sizes, and the solver takes what is left.
[[nodiscard]] Settings fitted(Settings settings, std::span<const std::string> benchmarks,
                              const suites::World& world, const suites::TimeShare& time, bool own_block);

/// Expected time of the benchmarks: at their least representative sizes with the fewest repetitions, and at
/// the published sizes with all of them.
[[nodiscard]] suites::TimeRange time_range(const Settings& settings, std::span<const std::string> benchmarks,
                                           const suites::World& world, bool own_block);

}  // namespace steelyard::hpcc
