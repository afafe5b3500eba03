// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "measure/workload.hpp"
#include "suites/beff/content.hpp"
#include "suites/beff/method.hpp"
#include "suites/beff/patterns.hpp"
#include "suites/beff/walk.hpp"

/// The timed loops of the three methods.
namespace steelyard::beff {

/// One pattern at one length as a process sees it.
struct Loop {
  MPI_Comm comm = MPI_COMM_NULL;  // of the pattern's numbering; null on a process that is not in it
  int rank = 0, processes = 0;    // in comm
  std::vector<Slot> slots;        // of this process; empty if it takes no part
  int k = 0;
  std::int64_t bytes = 0;
};

/// Iterations of a loop by one method. Every process of `comm` runs it; one without slots does nothing but
/// call the collective. verify() checks whole contents of messages up to 64 kbyte and tells what `wrong`
/// holds from the loops. `walk` and `wrong` outlive the workload. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Method method, const Loop& loop, Walk& walk,
                                                           Mismatches& wrong);

}  // namespace steelyard::beff
