// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"

namespace steelyard::hpcc {

/// One ping-pong over its measurements.
struct PairTime {
  int client = 0, server = 0;
  double best_s = 0, worst_s = 0;
};

/// Place of each rank: its host where there are several, in the order of their first ranks, else the rank
/// itself. Collective: one number of every rank to all.
[[nodiscard]] std::vector<int> places_of_ranks(const mpi::Communicator& world);

/// The slowest pair and the slowest place beside the typical one. Pairs within a place do not count.
struct PairSpread {
  int places = 0;
  int client = 0, server = 0;  // of the slowest pair, by its best measurement
  double slowest_s = 0;
  double typical_s = 0, typical_worst_s = 0;  // median over places of the fastest pair of each
  /// Pairs nearer to the slowest than to the typical one, by ratio: all; those between the two places, and how
  /// many of them are slow.
  std::int64_t slow = 0, between = 0, slow_between = 0;
  /// The place whose fastest pair is slowest: its first rank, that pair, its pairs and the slow ones of them.
  int place_rank = 0;
  double place_s = 0;
  std::int64_t with_place = 0, slow_with_place = 0;
};

/// Collective: `own` has the pairs whose client this rank is. O(log P) messages, of two numbers per place at
/// most. The same on all ranks; no places where no pair leaves its place.
[[nodiscard]] PairSpread spread_over_places(const mpi::Communicator& world, std::span<const PairTime> own,
                                            const std::vector<int>& place_of);

}  // namespace steelyard::hpcc
