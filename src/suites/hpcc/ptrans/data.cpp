// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/ptrans/data.hpp"

#include <numeric>
#include <utility>

namespace steelyard::hpcc {

std::vector<int> random_placement(int world, std::uint64_t seed) {
  std::vector<int> ranks(static_cast<std::size_t>(world));
  std::iota(ranks.begin(), ranks.end(), 0);
  Random random(seed);
  for (auto& rank : ranks) std::swap(rank, ranks[static_cast<std::size_t>(random.below(world))]);
  return ranks;
}

}  // namespace steelyard::hpcc
