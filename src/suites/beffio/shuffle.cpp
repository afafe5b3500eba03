// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/shuffle.hpp"

#include <algorithm>
#include <bit>

namespace steelyard::beffio {

Shuffle::Shuffle(std::uint64_t count, std::uint64_t seed) : count_(std::max<std::uint64_t>(count, 1)) {
  half_bits_ = std::max(1U, (static_cast<unsigned>(std::bit_width(count_ - 1)) + 1) / 2);
  mask_ = (std::uint64_t{1} << half_bits_) - 1;
  for (std::uint64_t& key : keys_) key = seed = scattered(seed + 0x9e3779b97f4a7c15ULL);
}

}  // namespace steelyard::beffio
