// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

/// The axes of b_eff_io. Source: 000_ea2d91109a99d1ca.txt section 5.1.
namespace steelyard::beffio {

enum class Access { write, rewrite, read };
inline constexpr std::array<Access, 3> accesses = {Access::write, Access::rewrite, Access::read};

/// scatter: strided, many chunks on disk per call; shared: strided, one chunk per ordered call; separated:
/// one file per process; segmented, segmented_collective: one segment of one file per process. random: ours,
/// as segmented, the chunks of a pattern in random order; measured where it is asked for, and no part of a
/// value.
enum class PatternType { scatter, shared, separated, segmented, segmented_collective, random };
inline constexpr std::array<PatternType, 6> pattern_types = {PatternType::scatter,
                                                             PatternType::shared,
                                                             PatternType::separated,
                                                             PatternType::segmented,
                                                             PatternType::segmented_collective,
                                                             PatternType::random};

/// Whether the values of b_eff_io are made of it.
[[nodiscard]] constexpr bool is_of_the_definition(PatternType type) {
  return type != PatternType::random;
}

[[nodiscard]] constexpr std::size_t index(Access access) {
  return static_cast<std::size_t>(access);
}
[[nodiscard]] constexpr std::size_t index(PatternType type) {
  return static_cast<std::size_t>(type);
}

[[nodiscard]] constexpr std::string_view text(Access access) {
  constexpr std::array<std::string_view, 3> names = {"write", "rewrite", "read"};
  return names[index(access)];
}
[[nodiscard]] constexpr std::string_view text(PatternType type) {
  constexpr std::array<std::string_view, 6> names = {"scatter",   "shared",   "separated",
                                                     "segmented", "seg_coll", "random"};
  return names[index(type)];
}

/// Chunks of all processes lie side by side; otherwise each process has a region of its own.
[[nodiscard]] constexpr bool interleaved(PatternType type) {
  return type == PatternType::scatter || type == PatternType::shared;
}
[[nodiscard]] constexpr bool collective(PatternType type) {
  return interleaved(type) || type == PatternType::segmented_collective;
}
/// Loops that the size of a segment ends, not the time.
[[nodiscard]] constexpr bool size_driven(PatternType type) {
  return type == PatternType::segmented || type == PatternType::segmented_collective ||
         type == PatternType::random;
}

}  // namespace steelyard::beffio
