// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "acceptance/criteria_block.hpp"
#include "analysis/acceptance/criteria.hpp"

/// Limits as a file of criteria writes them.
namespace steelyard::cli {

/// "2.5 Tflop/s", "95% of committed".
[[nodiscard]] std::optional<acceptance::Limit> limit_of(const CriteriaBlock& block, std::string_view key);

/// How far values may lie apart, and of what.
void take_spread(const CriteriaBlock& block, acceptance::Criterion& criterion);

}  // namespace steelyard::cli
