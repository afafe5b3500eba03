// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Short arithmetic of fixed work, whose time tells about the processor and its neighbours.
namespace steelyard::measure {

/// `steps` dependent multiply-adds; the result must be used. Its time follows the clock frequency.
[[nodiscard]] std::uint64_t dependent_chain(std::uint64_t start, std::int64_t steps) noexcept;

/// 8 KiB of numbers that stay in the nearest cache.
using WideTable = std::array<std::uint64_t, 1024>;
/// `steps` times six independent integer operations with three loads; its time tells of a busy sibling.
[[nodiscard]] std::uint64_t independent_mix(const WideTable& table, std::int64_t steps) noexcept;

/// Keeps a result alive without storing it.
inline void keep(std::uint64_t value) noexcept {
  volatile std::uint64_t sink = value;
  static_cast<void>(sink);
}

/// Spins with arithmetic until two consecutive windows of 5 ms of a fixed-work loop agree within 1 %
/// (frequency ramp), at most 200 ms by the system's clock. Seconds spent.
double spin_up();

}  // namespace steelyard::measure
