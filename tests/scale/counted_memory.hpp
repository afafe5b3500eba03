// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the program itself holds on the heap, by process of the simulation; the simulator's own memory is not counted.
namespace steelyard::scale {

/// Forgets the largest amount of the calling process; what it holds now counts as nothing.
void start_counting_memory();
/// The most that the calling process has held since then beyond what it held then, in byte.
[[nodiscard]] std::int64_t most_memory_byte();

}  // namespace steelyard::scale
