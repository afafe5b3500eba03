// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/beffio/patterns.hpp"

/// The order in which chunks at random places are accessed. Pure.
namespace steelyard::beffio {

/// A permutation of 0 .. count - 1 that needs no memory: four rounds of a Feistel network over the next even
/// number of bits, walked until the value is below count. The same seed gives the same order.
class Shuffle {
 public:
  Shuffle() : Shuffle(1, 0) {}
  Shuffle(std::uint64_t count, std::uint64_t seed);

  /// Place i of the order, i below count. Some tens of instructions.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const noexcept {
    do {
      i = mixed(i);
    } while (i >= count_);
    return i;
  }

 private:
  [[nodiscard]] std::uint64_t mixed(std::uint64_t value) const noexcept {
    std::uint64_t left = value >> half_bits_, right = value & mask_;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t turned = left ^ (scattered(right + key) & mask_);
      left = right;
      right = turned;
    }
    return (left << half_bits_) | right;
  }
  [[nodiscard]] static std::uint64_t scattered(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::uint64_t count_;
  unsigned half_bits_ = 1;
  std::uint64_t mask_ = 1;
  std::uint64_t keys_[4]{};
};

// Which parts of a file are read back to be compared. Pure.

/// sample: the first two, a middle and the last two calls, of each the first, a middle and the last chunk, of
/// each at most three times 64 kB; all: everything.
enum class ReadBack { sample, all };

/// Words `first` .. first + count - 1 of a chunk.
struct Part {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, first = 0, count = 0;
};
[[nodiscard]] std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how);

}  // namespace steelyard::beffio
