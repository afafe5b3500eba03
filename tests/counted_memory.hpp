// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

/// What a test program holds on the heap by operator new, libraries in C not counted. Link counted_memory.cpp
/// and one definition of memory_account(): that of counted_memory_of_program.cpp, or the program's own.
namespace steelyard::test {

/// Bytes held since counting began, and the most of them so far. Constant initialisation: in use before
/// main().
struct MemoryAccount {
  std::atomic<std::int64_t> now{0}, most{0};
};

/// The account of the caller. Called by operator new and delete, so it must not allocate.
[[nodiscard]] MemoryAccount& memory_account() noexcept;

/// What the caller's account holds now counts as nothing.
void begin_counting_memory();
/// The most that the caller's account has held since then.
[[nodiscard]] std::int64_t most_memory_byte();

}  // namespace steelyard::test
