// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard::hpcc {

/// Algorithm of a test. base: the reference's; optimized: one that the published rules allow in its place.
enum class Form { base, optimized };

[[nodiscard]] constexpr std::string_view text(Form form) {
  return form == Form::base ? "base" : "optimized";
}

/// Bytes of a message where data that lie apart are packed, travel and are stored in turn: few enough that some stay in a
/// cache of second level, enough that a network spends its time on them and not on their number.
inline constexpr std::int64_t piece_byte = 256 << 10;

/// Residual, in units of the rounding error, below which a result passes (line 13 of the input file).
inline constexpr double default_threshold = 16;
/// Half the distance from 1 to the next number: the reference's machine precision.
inline constexpr double half_epsilon = 0x1p-53;

}  // namespace steelyard::hpcc
