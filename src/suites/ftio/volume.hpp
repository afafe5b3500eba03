// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "suites/ftio/parameters.hpp"

/// The phases of a run and how much each moves. Source: 003_8b37d3299e4ec872.txt sections 3.5 to 3.7. Pure.
namespace steelyard::ftio {

enum class Phase { initialise, first_transforms, transpose, exchange, second_transforms, verify };
inline constexpr std::array phases = {Phase::initialise, Phase::first_transforms,  Phase::transpose,
                                      Phase::exchange,   Phase::second_transforms, Phase::verify};
inline constexpr std::size_t phase_count = phases.size();
inline constexpr std::size_t timed_phases = 5;  // all but the verification
[[nodiscard]] constexpr std::size_t index(Phase phase) {
  return static_cast<std::size_t>(phase);
}
/// "A init", "B dft1", ...
[[nodiscard]] std::string_view text(Phase phase);

/// What one process moves between file and memory.
struct Traffic {
  std::int64_t read_byte = 0, written_byte = 0, calls = 0;
  bool operator==(const Traffic&) const = default;
  Traffic& operator+=(const Traffic& other);
};

/// Rows that one call and one message hold; 1 is the definition.
struct Batches {
  std::int64_t transform_rows = 1;  // of a series of transforms
  std::int64_t exchange_rows = 1;   // of a Square that is exchanged
};

/// By the definition: a call per row section, per segment of a Mini-Square, per row of an exchanged Square.
[[nodiscard]] Traffic traffic(const Shape& shape, Phase phase, const Batches& batches = {});
/// Sum of the timed phases.
[[nodiscard]] Traffic timed_traffic(const Shape& shape, const Batches& batches = {});

/// Nominal operations of both series: 2 N transforms of 5 N log2 N.
[[nodiscard]] double flops(const Shape& shape);

}  // namespace steelyard::ftio
