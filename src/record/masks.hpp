// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Internal to this folder.
namespace steelyard::record::detail {

inline constexpr std::size_t block_size = 64;  // characters that are looked at together

/// Masks of the characters of a block: a bit of each mask for each character, the lowest for the first.
struct Masks {
  std::uint64_t quotes = 0, backslashes = 0, brackets = 0;
  std::uint64_t signs = 0;  // brackets, colons and commas
};

/// Function that finds the masks of so many whole blocks.
using FindMasks = void (*)(const char* text, std::size_t blocks, Masks* masks);

/// Functions that this processor can run, the quickest last; all find the same.
[[nodiscard]] std::vector<FindMasks> ways_to_find_masks();

}  // namespace steelyard::record::detail
