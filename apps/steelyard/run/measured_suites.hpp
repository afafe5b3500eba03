// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "measuring/measured_suite.hpp"

namespace steelyard::cli {

/// Every suite that is measured, in the order in which suites are listed.
[[nodiscard]] std::span<const MeasuredSuite* const> measured_suites();

}  // namespace steelyard::cli
