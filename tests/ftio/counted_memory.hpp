// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::ftio::test {

/// What this process holds by operator new beyond what it held when counting began, at most so far.
void begin_counting_memory();
[[nodiscard]] std::ptrdiff_t most_memory_byte();

}  // namespace steelyard::ftio::test
