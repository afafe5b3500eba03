// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::hpcc {

/// One dimension of a block-cyclic distribution: n elements in blocks of `block` over `parts` processes, the
/// first block on part 0. Pure.
struct BlockCyclic {
  std::int64_t n = 0;
  std::int64_t block = 1;
  int parts = 1;

  [[nodiscard]] constexpr int owner(std::int64_t global) const {
    return static_cast<int>(global / block % parts);
  }
  /// Index within its owner.
  [[nodiscard]] constexpr std::int64_t local(std::int64_t global) const {
    return global / block / parts * block + global % block;
  }
  [[nodiscard]] constexpr std::int64_t global(int part, std::int64_t local) const {
    return (local / block * parts + part) * block + local % block;
  }
  /// Elements of one part.
  [[nodiscard]] constexpr std::int64_t count(int part) const {
    const std::int64_t full = n / block, last = full % parts;
    const std::int64_t rest = part < last ? block : part == last ? n % block : 0;
    return full / parts * block + rest;
  }
  /// Blocks in all, the last one possibly shorter.
  [[nodiscard]] constexpr std::int64_t blocks() const { return (n + block - 1) / block; }
  [[nodiscard]] constexpr std::int64_t size_of(std::int64_t b) const {
    return b < n / block ? block : n % block;
  }
};

}  // namespace steelyard::hpcc
