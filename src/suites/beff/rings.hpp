// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

/// How P processes are split into rings. Source: 000_ea2d91109a99d1ca.txt section 4. Pure.
namespace steelyard::beff {

inline constexpr int ring_pattern_count = 6;

/// 2, 4, 8, max(16, P/4), max(32, P/2), P, none above P.
[[nodiscard]] std::array<int, ring_pattern_count> standard_ring_sizes(int processes);

/// Sizes of the rings in rank order; they sum to P, even sizes come first.
[[nodiscard]] std::vector<int> ring_sizes(int processes, int standard_size);

/// "ring-3*10&-1": number of rings, size of the first, and how the others differ.
[[nodiscard]] std::string ring_name(const std::vector<int>& sizes);

}  // namespace steelyard::beff
