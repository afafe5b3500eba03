// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <limits>

namespace steelyard::record {

/// The number without its fraction, as near as the type comes to it; 0 if it is none. Records, texts and words may hold any
/// number, and the language does not say what a conversion makes of one beyond the type.
template <std::integral Whole>
[[nodiscard]] constexpr Whole clipped(double number) {
  using Limits = std::numeric_limits<Whole>;
  constexpr double beyond =
      2.0 * static_cast<double>(Whole{1} << (Limits::digits - 1));  // one above the last
  if (number >= beyond) return Limits::max();
  if (number < static_cast<double>(Limits::min())) return Limits::min();
  return number == number ? static_cast<Whole>(number) : 0;
}

}  // namespace steelyard::record
