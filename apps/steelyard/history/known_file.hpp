// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/history/history.hpp"

namespace steelyard::cli {

/// Accepted changes: the tables [[known]] of a TOML text (docs/history.md). Throws UsageError
/// with place and nearest word.
[[nodiscard]] std::vector<history::Known> parse_known(std::string_view text, const std::string& name);

}  // namespace steelyard::cli
