// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::hpcc {

/// Bytes of a message where data that lie apart are packed, travel and are stored in turn: few enough that several
/// stay in a cache of second level, enough that a network spends its time on them and not on their number.
inline constexpr std::int64_t piece_byte = 256 << 10;

}  // namespace steelyard::hpcc
