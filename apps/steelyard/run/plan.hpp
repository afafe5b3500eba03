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

}  // namespace steelyard::cli
