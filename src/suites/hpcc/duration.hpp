// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {

/// Seconds that a point probably takes with all its passes, its data and their verification, by the rates of a
/// survey. Only plans and budgets use it.
[[nodiscard]] double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates);

}  // namespace steelyard::hpcc
