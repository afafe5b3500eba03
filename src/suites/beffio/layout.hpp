// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "measure/workload.hpp"
#include "stats/splitmix.hpp"
#include "suites/beffio/patterns.hpp"

/// What lies where in the files. Pure: segments, whose size ends the loops of their types (b_eff paper, 5.1 and 5.4), places
/// of chunks, and their contents with the checks.
namespace steelyard::beffio {

/// How often each pattern was written; 0 = not written.
using Repetitions = std::array<std::uint64_t, pattern_count>;

/// Segments of types 3 and 4.
struct Segment {
  Bytes length;                                // of one process
  Bytes fill_up;                               // chunk of the last pattern; may be 0
  std::array<std::uint64_t, 9> repetitions{};  // of the type's patterns, the fill-up last
  bool reduced = false;                        // shorter than the rule says, because of a limit
};

/// Segment that follows from how often types 0 to 2 were written: of each chunk size the least of type 0 (in
/// chunks), ten times type 1, and type 2, at least 1. `align`: the length is a multiple of it. `most`: the
/// longest length allowed. Returns nullopt if even single chunks exceed it.
[[nodiscard]] std::optional<Segment> segment(const PatternTable& table, const Repetitions& written,
                                             Bytes align, std::optional<Bytes> most = std::nullopt);

/// The table with the fill-up of this segment.
[[nodiscard]] PatternTable filled_up(PatternTable table, const Segment& segment);

// Places of the bytes in the files. Source: docs/suites/b-eff-io.md, "Files". Pure.

/// Chunk of one process in a pattern: call c, and chunk k of that call.
struct ChunkPlace {
  int rank = 0;
  std::uint64_t call = 0;
  std::int64_t chunk = 0;
};

/// The files of one pattern type.
class Layout {
 public:
  /// `table` with the fill-up filled in, `calls` of every pattern of the type; `segment`: length of one
  /// process's part, for types 3 and 4.
  Layout(const PatternTable& table, PatternType type, const Repetitions& calls, int processes, Bytes segment);

  /// Begin of a pattern: bytes of all earlier patterns of the type, of all processes for types 0
  /// and 1, else of one.
  [[nodiscard]] std::int64_t begin(int pattern) const { return begins_[static_cast<std::size_t>(pattern)]; }
  /// File offset of a chunk; in the process's own file for type 2.
  [[nodiscard]] std::int64_t offset(int pattern, const ChunkPlace& place) const;
  /// Displacement of the view of types 3 and 4.
  [[nodiscard]] std::int64_t segment_begin(int rank) const { return rank * segment_.count(); }

 private:
  const PatternTable* table_;
  PatternType type_;
  int processes_;
  Bytes segment_;
  std::array<std::int64_t, pattern_count> begins_{};
};

/// Bytes that one process moves with `calls` calls of a pattern.
[[nodiscard]] std::int64_t bytes_of(const Pattern& pattern, std::uint64_t calls);

// Order in which chunks at random places are accessed. Pure.

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
      const std::uint64_t turned = left ^ (stats::splitmix_number(right + key) & mask_);
      left = right;
      right = turned;
    }
    return (left << half_bits_) | right;
  }

  std::uint64_t count_;
  unsigned half_bits_ = 1;
  std::uint64_t mask_ = 1;
  std::uint64_t keys_[4]{};
};

// Parts of a file that are read back to be compared. Pure.

/// Extent of the reading back. sample: the first two, a middle and the last two calls, of each the first, a
/// middle and the last chunk, of each at most three times 64 kB; all: everything.
enum class ReadBack { sample, all };

/// Words `first` .. first + count - 1 of a chunk.
struct Part {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, first = 0, count = 0;
};
[[nodiscard]] std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how);

// Contents of chunks and their checks. Every 8-byte word depends on rank, pattern, generation and position in the
// memory of a call; the first and the last word of each chunk also on call and chunk.

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
