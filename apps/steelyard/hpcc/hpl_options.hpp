// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/option_table.hpp"
#include "options/values.hpp"
#include "suites/hpcc/settings.hpp"

/// Options of the linear solver and of PTRANS, by words instead of lines of an input file.
namespace steelyard::cli {

/// The group of the front-end of the linear solver alone, for lines 9 and 13 to 31.
[[nodiscard]] Group hpl_solver_group();
/// The group of `run` and of the front-end for lines 9 and 13 to 36.
[[nodiscard]] Group hpl_group();

/// Sets what the words say; the rest stays as it is.
void set_solver(const Values& values, hpcc::Settings& settings);

}  // namespace steelyard::cli
