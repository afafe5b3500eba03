// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "acceptance/criteria_block.hpp"
#include "analysis/acceptance/criteria.hpp"

/// Limits as a file of criteria writes them.
namespace steelyard::cli {

/// Limit such as "2.5 Tflop/s" or "95% of committed"; nullopt if the key is missing.
[[nodiscard]] std::optional<acceptance::Limit> limit_of(const CriteriaBlock& block, std::string_view key);

/// Reads how far values may lie apart, and whether those of nodes or of launches.
void take_spread(const CriteriaBlock& block, acceptance::Criterion& criterion);

}  // namespace steelyard::cli
