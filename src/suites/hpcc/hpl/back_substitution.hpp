// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// Solves U x = y, y being the last column of the factored matrix. `row`, `column`: the processes of the own
/// process row and column. The entries of x that belong to the own columns, in every process row. Collective
/// over the grid. Throws mpi::Error.
[[nodiscard]] std::vector<double> back_substitute(const mpi::Communicator& row,
                                                  const mpi::Communicator& column, const Shape& shape,
                                                  blas::Out matrix, const blas::Routines& routines);

}  // namespace steelyard::hpcc::hpl
