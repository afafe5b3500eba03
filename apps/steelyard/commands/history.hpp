// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/history/history.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

/// What the report shows of the runs below some folders, joined by commas.
[[nodiscard]] history::History history_for_report(const std::string& places, const Values& values);

}  // namespace steelyard::cli
