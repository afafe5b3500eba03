// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/history/history.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

/// History in a report, of the runs below some folders that are joined by commas.
[[nodiscard]] history::History history_for_report(const std::string& places, const Values& values);

}  // namespace steelyard::cli
