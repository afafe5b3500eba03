// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "measure/workload.hpp"
#include "stats/splitmix.hpp"

/// Contents of chunks and their checks. Every 8-byte word depends on rank, pattern, generation and position
/// in the memory of a call; the first and the last word of each chunk also on call and chunk.
namespace steelyard::beffio {

/// Origin of data: the process, the pattern, and whether the initial write or the rewrite wrote them.
struct Origin {
  int rank = 0, pattern = 0;
  int generation = 0;  // 0: initial write, 1: rewrite
};

/// Stamps of the first and the last word of a chunk. Written and compared inside the timed loop, as the
/// definition wants: two words per chunk.
class Stamps {
 public:
  explicit Stamps(const Origin& origin);
  [[nodiscard]] std::uint64_t first(std::uint64_t call, std::int64_t chunk) const noexcept {
    return base_ | ((call & call_mask) << call_shift) | (static_cast<std::uint64_t>(chunk) << 1);
  }
  [[nodiscard]] std::uint64_t last(std::uint64_t call, std::int64_t chunk) const noexcept {
    return first(call, chunk) | 1;
  }

 private:
  static constexpr unsigned call_shift = 11;  // above chunk (10 bit) and the mark of the last word
  static constexpr std::uint64_t call_mask = (std::uint64_t{1} << 26) - 1;
  std::uint64_t base_;
};

/// Words between the stamps: by position in the memory of a call, the same in all calls of a pattern.
class Body {
 public:
  explicit Body(const Origin& origin);
  [[nodiscard]] std::uint64_t word(std::int64_t position) const noexcept {
    return seed_ + static_cast<std::uint64_t>(position) * stats::splitmix_step;
  }
  /// Fills the memory of a call. Never timed.
  void fill(std::span<std::uint64_t> memory) const noexcept;

 private:
  std::uint64_t seed_;
};

/// Errors of one rank in one pattern, with words for the first few.
class Mismatches {
 public:
  explicit Mismatches(int told = 1) : told_(told) {}
  void add(const Origin& origin, std::uint64_t call, std::int64_t chunk, std::int64_t word,
           std::uint64_t found, std::uint64_t expected);
  [[nodiscard]] const measure::CheckResult& result() const { return result_; }

 private:
  int told_;
  measure::CheckResult result_;
};

/// A piece of a chunk as it was found: words `first` .. of chunk `chunk` of `words_per_chunk`, call `call`.
struct Piece {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, words_per_chunk = 0, first = 0;
  std::span<const std::uint64_t> found;
};
/// Compares every word. Never timed.
void compare(const Piece& piece, const Origin& origin, Mismatches& wrong);

}  // namespace steelyard::beffio
