// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"

namespace steelyard::hpcc {

/// Best and worst time of one ping-pong over its measurements.
struct PairTime {
  int client = 0, server = 0;
  double best_s = 0, worst_s = 0;
};

/// Place of each rank: its host, in the order of their first ranks, if there are several; else the rank
/// itself. Collective: every rank sends one number to all.
[[nodiscard]] std::vector<int> places_of_ranks(const mpi::Communicator& world);

/// The slowest pair and the slowest place beside the typical one. Pairs within a place do not count.
struct PairSpread {
  int places = 0;
  int client = 0, server = 0;  // of the slowest pair, by its best measurement
  double slowest_s = 0;
  double typical_s = 0, typical_worst_s = 0;  // median over places of the fastest pair of each
  /// Pairs nearer to the slowest than to the typical one, by ratio; pairs between the two places of the
  /// slowest one; those of the latter that are slow.
  std::int64_t slow = 0, between = 0, slow_between = 0;
  /// The place whose fastest pair is slowest: its first rank, the time of that pair, its
  /// pairs, the slow ones of them.
  int place_rank = 0;
  double place_s = 0;
  std::int64_t with_place = 0, slow_with_place = 0;
};

/// Spread of the pairs, of which `own` has those whose client this rank is. The same on all ranks; places is
/// 0 if no pair leaves its place. Collective, in O(log P) messages of two numbers per place at most.
[[nodiscard]] PairSpread spread_over_places(const mpi::Communicator& world, std::span<const PairTime> own,
                                            const std::vector<int>& place_of);

}  // namespace steelyard::hpcc
