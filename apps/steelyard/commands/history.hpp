// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/tables.hpp"

namespace steelyard::cli {

/// Every result.jsonl (.gz) below a folder, or the file itself, by name. Links are followed once.
[[nodiscard]] std::vector<std::string> results_below(const std::string& place);

/// What the report shows of the runs below some folders, joined by commas.
[[nodiscard]] analysis::Tables history_for_report(const std::string& places);

}  // namespace steelyard::cli
