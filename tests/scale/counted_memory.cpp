// SPDX-License-Identifier: Apache-2.0
#include "tests/scale/counted_memory.hpp"

#include <malloc.h>
#include <simgrid/actor.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

struct Held {
  std::int64_t now = 0;
  std::int64_t most = 0;
};

// By number of the simulated process: copies of the program or a common one, both are right.
constexpr std::size_t most_processes = 8192;
Held held[most_processes];

Held& mine() {
  const auto number = static_cast<std::size_t>(std::max<long>(0, sg_actor_self_get_pid()));
  return held[number % most_processes];
}

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  Held& own = mine();
  own.now += static_cast<std::int64_t>(malloc_usable_size(memory));
  own.most = std::max(own.most, own.now);
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  mine().now -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(std::malloc(std::max<std::size_t>(1, size)));
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

namespace steelyard::scale {

void start_counting_memory() {
  mine() = {};
}

std::int64_t most_memory_byte() {
  return mine().most;
}

}  // namespace steelyard::scale
