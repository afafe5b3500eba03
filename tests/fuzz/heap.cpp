// SPDX-License-Identifier: Apache-2.0
// Counts what the program holds: its own operators stand for those of the C++ library, which have nowhere to keep a
// number but here.
#include "heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> held{0}, most{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const auto now = held += static_cast<std::int64_t>(malloc_usable_size(memory));
  most = std::max(most.load(), now);
  return memory;
}

void give_back(void* memory) noexcept {
  held -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(std::malloc(std::max<std::size_t>(size, 1)));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}

namespace steelyard::fuzz {

HeapWatch::HeapWatch() noexcept : before_(held) {
  most = before_;
}

std::int64_t HeapWatch::most_byte() const noexcept {
  return most - before_;
}

}  // namespace steelyard::fuzz
