// SPDX-License-Identifier: Apache-2.0
#include <simgrid/actor.h>

#include <algorithm>

#include "tests/counted_memory.hpp"

namespace steelyard::test {

/// By number of the simulated process: copies of the program or a common one, both are right. The simulator's
/// own memory is not counted.
MemoryAccount& memory_account() noexcept {
  constexpr std::size_t most_processes = 8192;
  static constinit MemoryAccount accounts[most_processes];
  const auto number = static_cast<std::size_t>(std::max<long>(0, sg_actor_self_get_pid()));
  return accounts[number % most_processes];
}

}  // namespace steelyard::test
