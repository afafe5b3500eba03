// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "suites/imb/settings.hpp"

/// Partners of processes in IMB-MT, and what its rates count. Pure. Thread j talks to thread j.
/// Source: IMB-MT of the later releases; docs/suites/imb-mt.md, "Who talks to whom".
namespace steelyard::imb {

/// Place of a process in its pair.
struct PairPlace {
  int partner = 0;
  bool lower = true;  // sends first
};
/// Place with the partner `stride` ranks away, P / 2 ranks if the stride is 0; nullopt for a rank
/// that takes no part.
[[nodiscard]] std::optional<PairPlace> pair_place(int rank, int processes, int stride);

/// Neighbours of a rank in a ring of this stride.
struct RingPlaces {
  int to = 0, from = 0;
};
[[nodiscard]] RingPlaces ring_places(int rank, int processes, int stride);

/// Number of processes that take part in a benchmark: those with a partner, or all.
[[nodiscard]] int taking_part(const Definition& definition, int processes, int stride);

/// Number of messages of a thread between two readings of its clock over those of one told time: 2 for a
/// ping-pong, the window for UniBandMT, twice the window for BiBandMT.
[[nodiscard]] double thread_time_divisor(const Definition& definition, const Settings& settings);

/// Volume that the rates count in one told time: of all threads of one process, or of all pairs of
/// threads of the run.
struct ThreadVolume {
  std::int64_t bytes = 0;
  std::int64_t messages = 0;  // bands only
};
[[nodiscard]] ThreadVolume thread_volume(const Definition& definition, const Settings& settings, Bytes size,
                                         int processes);

}  // namespace steelyard::imb
