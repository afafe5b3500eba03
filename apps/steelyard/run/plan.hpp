// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "measuring/prepared.hpp"

namespace steelyard::cli {

/// Plan of `run`: selection, settings, sizes within the budget. `kept`: keys of what a resume does not measure again.
/// Throws UsageError.
[[nodiscard]] Prepared prepare_run(const Invocation& invocation, const Place& place,
                                   const std::set<std::string>& kept = {});

/// Why the first point is left out, of a plan of which none can be measured; else empty.
[[nodiscard]] std::string obstacle(const campaign::Plan& plan);

}  // namespace steelyard::cli
