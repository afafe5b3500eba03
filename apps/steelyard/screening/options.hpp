// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"

namespace steelyard::cli {

/// Options of `run` for the suite screen.
[[nodiscard]] Group screen_group();

extern const MeasuredSuite measured_screen;

}  // namespace steelyard::cli
