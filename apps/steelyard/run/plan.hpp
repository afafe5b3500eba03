// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/prepared.hpp"

namespace steelyard::cli {

/// Plan of `run`: selection, settings, sizes within the budget. Throws UsageError.
[[nodiscard]] Prepared prepare_run(const Invocation& invocation, const Place& place);

}  // namespace steelyard::cli
