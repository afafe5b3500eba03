// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/sizes.hpp"

/// NB of the linear solver where nobody says one.
namespace steelyard::hpcc {

/// What panels of a width come to: the product that updates a trailing matrix, with one panel or with as many
/// as are applied at once, and the factorisation of the panel.
struct BlockRate {
  std::int64_t block = 0;
  double update_flop_s = 0, panel_flop_s = 0;
};

/// Tries panels of 64 to 384 columns on all processes at once; of each rate the slowest process counts.
/// `grid`: on which the system will be solved. Collective, a fraction of a second. Nothing where the routines
/// are not available. Throws std::bad_alloc.
[[nodiscard]] std::vector<BlockRate> block_rates(const mpi::Communicator& world, const Grid& grid,
                                                 const blas::Routines& routines = blas::Routines::linked());

/// The block with which a factorisation of order n takes least by these rates: 2/3 N^3 operations of updates
/// and N^2 NB / 2 of panels. Of those within 1 % of it the narrowest, which spreads best. Of blocks of which
/// eight fit into n; the narrowest of all where none does. 192 for no rates. Pure.
[[nodiscard]] std::int64_t best_block(std::span<const BlockRate> rates, std::int64_t n);

/// Why that block: the rates of all, a sentence. Empty for no rates.
[[nodiscard]] std::string block_reason(std::span<const BlockRate> rates, std::int64_t n);

}  // namespace steelyard::hpcc
