// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/sizes.hpp"
#include "suites/rates.hpp"

/// Trial of the rates that decide about NB of the linear solver.
namespace steelyard::hpcc {

/// Memory of a process that the trial takes.
[[nodiscard]] std::int64_t panel_trial_byte();

/// Tries panels of 64 to 384 columns, their products and triangles, on all processes at once; of each rate the slowest process counts.
/// `grid`: the one on which the system will be solved. `go_on`: asked before each width but the first,
/// collectively and with the same answer everywhere. Returns the rates by rising width; empty if the routines
/// are not available, or a process does not get the memory. Collective, a fraction of a second. Throws
/// mpi::Error.
[[nodiscard]] std::vector<suites::PanelRate> panel_rates(
    const mpi::Communicator& world, const Grid& grid,
    const blas::Routines& routines = blas::Routines::linked(),
    const std::function<bool()>& go_on = [] { return true; });

}  // namespace steelyard::hpcc
