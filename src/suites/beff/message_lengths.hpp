// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "units/quantity.hpp"

/// Message lengths of b_eff. Source: 000_ea2d91109a99d1ca.txt sections 3.1 and 4, 002_2ef011306d85293d.txt.
/// Pure.
namespace steelyard::beff {

inline constexpr int length_count = 21;
inline constexpr int fixed_lengths = 13;  // 1 byte .. 4 kbyte, doubling
/// Number of the last length that is always measured in full; the last two after it may be shortened.
inline constexpr int last_full_length = length_count - 3;
using Lengths = std::array<Bytes, length_count>;

/// 1/128 of the memory per process, given in units of 2^20 byte, but at most 128 Mbyte. Requires mebibytes
/// >= 1.
[[nodiscard]] Bytes longest_message(std::int64_t mebibytes_per_process);

/// Ratio of neighbouring lengths above 4 kbyte: (L_max / 4096)^(1/8).
[[nodiscard]] double growth(Bytes longest);

/// 2^k for k = 0..12, then geometric to `longest`. Requires longest > 4096 byte.
[[nodiscard]] Lengths message_lengths(Bytes longest);

/// Bytes of the send and of the receive buffer of one process: six slots of the longest message, padded.
[[nodiscard]] Bytes buffer_size(Bytes longest);

}  // namespace steelyard::beff
