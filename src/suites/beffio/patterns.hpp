// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "suites/beffio/kinds.hpp"
#include "units/quantity.hpp"

/// The 43 patterns, and eight of random access. Source: 000_ea2d91109a99d1ca.txt Table 2; random access is
/// what its section 7 wants to be examined. Pure.
namespace steelyard::beffio {

inline constexpr std::size_t defined_patterns = 43;  // of the definition
inline constexpr std::size_t pattern_count = 51;
inline constexpr int extra_position = 8;         // pattern 2: a line of its own
inline constexpr std::int64_t element_byte = 8;  // every size is a multiple of it

/// A pattern: disk is the contiguous chunk in the file (l), memory the contiguous chunk of one call (L); both
/// are 0 for the one that fills a segment up, until the segment is known. units: its share of the time (U);
/// 0 = executed once. position: row in the summary table, 0 = not shown.
struct Pattern {
  int number = 0;
  PatternType type = PatternType::scatter;
  Bytes disk, memory;
  int units = 0;
  int position = 0;
  bool fills_up = false;
  [[nodiscard]] std::int64_t chunks() const { return disk.count() == 0 ? 0 : memory / disk; }
};
using PatternTable = std::array<Pattern, pattern_count>;

/// M_PART: 1/128 of the memory per process in units of 2^20 byte, from 2 MB to 1024 MB.
[[nodiscard]] Bytes largest_chunk(std::int64_t mebibytes_per_process);

/// Table 2 with this M_PART. Throws std::invalid_argument unless it is a multiple of 8 and at least 2 MB.
[[nodiscard]] PatternTable pattern_table(Bytes largest);
/// The same with another M_PART, a multiple of 8, where processes share a file: all types but 2.
[[nodiscard]] PatternTable pattern_table(Bytes largest, Bytes largest_of_common_files);

/// Patterns of a type are consecutive: number of its first, and how many there are.
struct Span {
  std::size_t first = 0, count = 0;
  [[nodiscard]] std::size_t last() const { return first + count - 1; }
};
[[nodiscard]] Span patterns_of(PatternType type);

/// Sum of U over the patterns of a type.
[[nodiscard]] int units_of(PatternType type);

}  // namespace steelyard::beffio
