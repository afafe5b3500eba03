// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "mpi/communicator.hpp"

/// NB of the linear solver where nobody says one.
namespace steelyard::hpcc {

/// Update of a trailing matrix by a panel of that width.
struct BlockRate {
  std::int64_t block = 0;
  double flop_s = 0;
};

/// The narrowest of the blocks whose rate is at most 3 % below the fastest: narrow panels cost less and
/// spread better. Throws std::invalid_argument for none.
[[nodiscard]] std::int64_t narrowest_fast(std::span<const BlockRate> rates);

/// Tries updates with panels of 64 to 384 columns on all processes at once; the slowest process counts.
/// Collective, a fraction of a second. 192 where the program was built without a BLAS.
[[nodiscard]] std::int64_t best_block(const mpi::Communicator& world);

}  // namespace steelyard::hpcc
