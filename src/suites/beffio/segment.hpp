// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "suites/beffio/patterns.hpp"

/// Where the size of a segment ends the loops. Source: 000_ea2d91109a99d1ca.txt sections 5.1, 5.4. Pure.
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

/// The segment that follows from how often types 0 to 2 were written: of each chunk size the least of type 0
/// (in chunks), ten times type 1, and type 2, at least 1. `align`: a multiple of it is the length. `most`:
/// the length may not exceed it; nothing if even single chunks do.
[[nodiscard]] std::optional<Segment> segment(const PatternTable& table, const Repetitions& written,
                                             Bytes align, std::optional<Bytes> most = std::nullopt);

/// The table with the fill-up of this segment.
[[nodiscard]] PatternTable filled_up(PatternTable table, const Segment& segment);

}  // namespace steelyard::beffio
