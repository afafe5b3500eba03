// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analysis/acceptance/judge.hpp"

namespace steelyard::cli {

/// The sheet, with published systems if a limit asks for them. Throws UsageError for criteria that cannot be judged.
[[nodiscard]] acceptance::Sheet judged_sheet(const acceptance::Criteria& criteria,
                                             std::span<const acceptance::Launch> launches,
                                             const acceptance::Named& references);

}  // namespace steelyard::cli
