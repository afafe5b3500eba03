// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/option_table.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

inline constexpr Option threads_option("threads", Kind::count, "threads per process of the compute kernels",
                                       FallbackText{"OMP_NUM_THREADS or 1"}, Within{1, 1024});

/// Threads per process of the compute kernels: --threads, else the first number of OMP_NUM_THREADS where the
/// program can use threads, else 1.
[[nodiscard]] int compute_threads(const Values& values);

/// The first number of OMP_NUM_THREADS, else 1.
[[nodiscard]] int threads_of_environment();

/// Threads per process that send messages in a `run`: those of --threads or OMP_NUM_THREADS if a word of SELECT names
/// imb-mt, else 1. More than one asks for MPI_THREAD_MULTIPLE, which changes the times of all suites.
[[nodiscard]] int messaging_threads(const Values& values);

/// Throws UsageError if --threads asks for what this program cannot do.
void check_threads(const Values& values);

}  // namespace steelyard::cli
