// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::hpcc::hpl {

/// Phases of a process while it solves. `columns` is part of `eliminate`, `pivot` of `columns`;
/// `travel` goes on beside all others, from the start of a panel's way along its process row
/// until it is here and passed on.
enum class Phase {
  eliminate,
  columns,
  pivot,
  update,
  interchange,
  solve,
  multiply,
  wait,
  substitute,
  travel
};
inline constexpr std::size_t phases = 10;

}  // namespace steelyard::hpcc::hpl
