// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>

#include "measuring/measured_suite.hpp"

namespace steelyard::cli {

/// Every suite that is measured, in the order in which suites are listed.
[[nodiscard]] std::span<const MeasuredSuite* const> measured_suites();

/// Plan of `run`: selection, settings, sizes within the budget. `kept`: keys of what a resume does not measure again.
/// Throws UsageError.
[[nodiscard]] Prepared prepare_run(const Invocation& invocation, const Place& place,
                                   const std::set<std::string>& kept = {});

/// Why the first point is left out, of a plan of which none can be measured; else empty.
[[nodiscard]] std::string obstacle(const campaign::Plan& plan);

}  // namespace steelyard::cli
