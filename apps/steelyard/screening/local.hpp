// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "analysis/screening/screening.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

using screening::References;

/// `screen --local`: the tests that `references` expects something of, measured by this process alone, without MPI: one
/// node. Throws UsageError where that is none.
[[nodiscard]] screening::Measured measured_here(const Values& values, const References& references);

}  // namespace steelyard::cli
