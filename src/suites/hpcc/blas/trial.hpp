// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/blas/candidates.hpp"

namespace steelyard::hpcc {

struct BlasTrial {
  BlasLibrary best;
  std::vector<TriedBlas> tried;  // the linked one first
};

/// Collective: every process tries each library that all of them have, all at the same time; the one with the
/// highest mean is the best on every process. Takes some tenths of a second for each. Throws std::bad_alloc
/// on all processes.
[[nodiscard]] BlasTrial try_blas_libraries(const mpi::Communicator& world, int threads);

}  // namespace steelyard::hpcc
