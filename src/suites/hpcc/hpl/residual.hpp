// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// Norms of the problem, the solution and of r = A x - b. Infinite where an element is not a number.
struct Norms {
  double r_inf = 0, a_1 = 0, a_inf = 0, x_1 = 0, x_inf = 0, b_inf = 0;
};

/// Norms by [A|b] generated anew, column by column. `x`: entries of the own columns. The same on all
/// processes. Collective over the grid. Throws mpi::Error.
[[nodiscard]] Norms norms(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
                          std::span<const double> x);

/// Scaled residual r_inf / (eps (a_inf x_inf + b_inf) n) with half the distance from 1 to the next number as
/// eps; 0 for n = 0. Not a number if x is infinite.
[[nodiscard]] double scaled_residual(const Norms& norms, std::int64_t n);

}  // namespace steelyard::hpcc::hpl
