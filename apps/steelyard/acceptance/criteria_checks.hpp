// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "acceptance/criteria_block.hpp"
#include "analysis/acceptance/criteria.hpp"

namespace steelyard::cli {

inline constexpr std::string_view every_words[] = {"point", "node", "link"};

/// Refuses a criterion that names something unknown, or whose words make no sense together.
void check_criterion(const CriteriaBlock& block, const acceptance::Criterion& criterion);

}  // namespace steelyard::cli
