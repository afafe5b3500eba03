// SPDX-License-Identifier: Apache-2.0
#include "tests/counted_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

using steelyard::test::memory_account;

void* counted(void* memory) noexcept {
  if (memory == nullptr) return nullptr;
  auto& account = memory_account();
  const auto now = account.now += static_cast<std::int64_t>(malloc_usable_size(memory));
  for (auto before = account.most.load(); before < now && !account.most.compare_exchange_weak(before, now);) {
  }
  return memory;
}

void* required(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void released(void* memory) {
  if (memory == nullptr) return;
  memory_account().now -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

std::size_t whole(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
}

}  // namespace

// A sanitizer has a form of its own of each that is not replaced here: what it gives would be released as ours.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new(std::size_t bytes) {
  return required(::operator new(bytes, std::nothrow));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(std::aligned_alloc(static_cast<std::size_t>(alignment), whole(bytes, alignment)));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return required(::operator new(bytes, alignment, std::nothrow));
}
void operator delete(void* memory) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  released(memory);
}

namespace steelyard::test {

void begin_counting_memory() {
  auto& account = memory_account();
  account.now = 0;
  account.most = 0;
}

std::int64_t most_memory_byte() {
  return memory_account().most;
}

}  // namespace steelyard::test
