// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// SplitMix64: numbers that look like chance and are the same on every machine; ranks must agree, and what the standard
/// library makes of a seed differs between its implementations.
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
namespace steelyard::stats {

/// Distance of two states of the generator, odd: multiples of it differ nearly everywhere.
inline constexpr std::uint64_t splitmix_step = 0x9e3779b97f4a7c15U;

/// Number of a state: every bit of the state changes about half of its bits.
[[nodiscard]] constexpr std::uint64_t splitmix_number(std::uint64_t state) noexcept {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31);
}

/// First number of a generator with this seed.
[[nodiscard]] constexpr std::uint64_t splitmix(std::uint64_t seed) noexcept {
  return splitmix_number(seed + splitmix_step);
}

}  // namespace steelyard::stats
