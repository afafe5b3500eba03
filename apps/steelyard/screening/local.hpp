// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/screening/screening.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

using screening::References;

/// Values of `screen --local`: the tests for which `references` has a value, measured by this process alone, without
/// MPI: one node. Throws UsageError if there is no such test.
[[nodiscard]] screening::Measured measured_here(const Values& values, const References& references);

}  // namespace steelyard::cli
