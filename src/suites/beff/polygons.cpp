// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/polygons.hpp"

#include <numeric>
#include <utility>

namespace steelyard::beff {

std::uint64_t RandomSource::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

std::uint64_t RandomSource::below(std::uint64_t n) {
  const std::uint64_t excess = (UINT64_MAX % n + 1) % n;  // 2^64 mod n
  std::uint64_t drawn = next();
  while (drawn > UINT64_MAX - excess) drawn = next();
  return drawn % n;
}

std::vector<int> random_polygon(int processes, RandomSource& source) {
  std::vector<int> order(static_cast<std::size_t>(processes));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t t = order.size() - 1; t >= 1; --t) std::swap(order[t], order[source.below(t + 1)]);
  return order;
}

std::vector<int> worst_cycle(int processes) {
  std::vector<int> order(static_cast<std::size_t>(processes));
  for (int t = 0; t < processes; ++t)
    order[static_cast<std::size_t>(t)] = t % 2 == 0 ? t / 2 : processes - 1 - (t - 1) / 2;
  return order;
}

}  // namespace steelyard::beff
