// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "analysis/acceptance/judge.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

/// The sheet, with published systems if a limit asks for them and the references that the option of this name gives as
/// NAME=RESULT. Throws UsageError for criteria that cannot be judged, record::ReadError.
[[nodiscard]] acceptance::Sheet judged_sheet(const acceptance::Criteria& criteria,
                                             std::span<const acceptance::Launch> launches,
                                             const Values& values, const std::string& option);

}  // namespace steelyard::cli
