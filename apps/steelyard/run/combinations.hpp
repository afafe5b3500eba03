// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/resolve.hpp"

namespace steelyard::cli {

/// Combinations of options of `run` that make no sense, found without knowing the place. Throws UsageError.
void check_combinations(const Invocation& invocation);

}  // namespace steelyard::cli
