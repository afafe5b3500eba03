// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "record/records.hpp"

namespace steelyard::analysis {

/// Adds a value to a summary; null where there is none.
void put(record::SummaryRecord& summary, std::string_view name, std::optional<double> value);

}  // namespace steelyard::analysis
