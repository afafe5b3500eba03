// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

/// Orders of all processes around one cycle. Pure, reproducible on every platform.
namespace steelyard::beff {

/// SplitMix64 with rejection: the source of all random orders. Test vectors are in docs/suites/b-eff.md.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in 0..n-1; n > 0.
  std::uint64_t below(std::uint64_t n);

 private:
  std::uint64_t state_;
};

/// Process at each place of a random polygon over P processes; `source` runs on from polygon to polygon.
[[nodiscard]] std::vector<int> random_polygon(int processes, RandomSource& source);

/// 0, P-1, 1, P-2, 2, ...: every step goes far.
[[nodiscard]] std::vector<int> worst_cycle(int processes);

}  // namespace steelyard::beff
