// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {

/// Seconds that a point probably takes with all its passes, its data and their verification, before anything
/// was measured: by the speed of a common processor core of these years. Only plans and budgets use it.
[[nodiscard]] double expected_s(const PointSpec& spec, const Settings& settings);

}  // namespace steelyard::hpcc
