// SPDX-License-Identifier: Apache-2.0
#include "tests/counted_memory.hpp"

namespace steelyard::test {

MemoryAccount& memory_account() noexcept {
  static constinit MemoryAccount account;
  return account;
}

}  // namespace steelyard::test
