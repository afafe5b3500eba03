// SPDX-License-Identifier: Apache-2.0
/// Factors of the prefixes of units: a figure in base units / prefix::giga is the number to print before "G".
#pragma once

namespace steelyard::prefix {

inline constexpr double nano = 1e-9;
inline constexpr double micro = 1e-6;
inline constexpr double milli = 1e-3;
inline constexpr double kilo = 1e3;
inline constexpr double mega = 1e6;
inline constexpr double giga = 1e9;
inline constexpr double tera = 1e12;
inline constexpr double mebi = 1048576;
inline constexpr double gibi = 1073741824;

}  // namespace steelyard::prefix
