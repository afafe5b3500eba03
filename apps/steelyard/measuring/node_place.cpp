// SPDX-License-Identifier: Apache-2.0
// Memory and cache that a node gives to each of its processes; needs no MPI.
#include <algorithm>

#include "machine/environment.hpp"
#include "measuring/place.hpp"

namespace steelyard::cli {

std::int64_t memory_share(const machine::UsableMemory& usable, int sharing) {
  return usable.of_each(sharing) / 10 * tenths_of_memory;
}

std::int64_t usable_byte(const Place& place) {
  return place.memory_byte / tenths_of_memory * 10;
}

std::int64_t memory_of_all(const Place& place) {
  return place.nodes_memory_byte > 0 ? place.nodes_memory_byte : place.node_share_byte * place.processes;
}

hpcc::CacheShare cache_share(const machine::Cache& cache, int sharing, int threads) {
  const double alone = std::min(cache.count, threads);
  const double together = std::min<double>(threads, static_cast<double>(cache.count) / std::max(sharing, 1));
  const auto of = [&](double caches) {
    return static_cast<std::int64_t>(static_cast<double>(cache.size_byte) * caches);
  };
  return {of(alone), of(together)};
}

Place node_place(int processes, int threads, const machine::Roots& roots) {
  const machine::Cache cache = machine::last_level_cache(roots);
  Place place{processes,
              memory_share(machine::usable_memory(roots), processes),
              {cache.size_byte, cache.apart_byte},
              machine::node_memory(roots) / std::max(processes, 1),
              cache_share(cache, processes, threads)};
  place.survey.rates = survey::assumed_rates(threads);
  return place;
}

}  // namespace steelyard::cli
