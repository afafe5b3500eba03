// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "analysis/acceptance/judge.hpp"

namespace steelyard::cli {

/// Criteria of a text of TOML (docs/acceptance.md). Throws UsageError "NAME:LINE:COLUMN: what is wrong", with the
/// nearest word for one that is unknown.
[[nodiscard]] acceptance::Criteria parse_criteria(std::string_view text, const std::string& name);

}  // namespace steelyard::cli
