// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "values.hpp"

namespace steelyard::cli {

/// Threads per process of the compute kernels: --threads, else the first number of OMP_NUM_THREADS where the program can
/// use threads, else 1.
[[nodiscard]] int compute_threads(const Values& values);

/// Throws UsageError if --threads asks for what this program cannot do.
void check_threads(const Values& values);

}  // namespace steelyard::cli
