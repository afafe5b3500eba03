// SPDX-License-Identifier: Apache-2.0
#include "machine/huge_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <new>
#include <string>

#include "machine/environment.hpp"

namespace steelyard::machine {
namespace {

std::int64_t round_up(std::int64_t bytes) {
  return (bytes + HugeMemory::huge_page - 1) / HugeMemory::huge_page * HugeMemory::huge_page;
}

void unmap(std::byte* from, std::byte* to) {
  if (to > from) munmap(from, static_cast<std::size_t>(to - from));
}

std::byte* map(std::int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

/// Throws std::bad_alloc without enough memory: touching pages that are promised but not there would end the
/// process instead.
void demand(std::int64_t bytes) {
  constexpr std::int64_t always_there = 16 << 20;
  if (bytes < 0) throw std::bad_alloc();
  if (bytes <= always_there) return;
  const auto usable = usable_memory().of_each(1);
  if (usable > 0 && bytes > usable) throw std::bad_alloc();
}

struct Range {
  std::uintptr_t begin = 0, end = 0;
};

/// First and last address of a mapping's line of /proc/self/smaps; an empty range for other lines.
Range range_of(const std::string& line) {
  Range range;
  if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &range.begin, &range.end) != 2) return {};
  return range;
}

}  // namespace

HugeMemory::HugeMemory(std::int64_t bytes) {
  demand(bytes);
  bytes_ = round_up(std::max<std::int64_t>(bytes, 1));
  std::byte* const whole = map(bytes_ + huge_page);
  const auto address = reinterpret_cast<std::uintptr_t>(whole);
  const auto page = static_cast<std::uintptr_t>(huge_page);
  data_ = whole + ((address + page - 1) / page * page - address);
  unmap(whole, data_);
  unmap(data_ + bytes_, whole + bytes_ + huge_page);
  // Advice only: a kernel without huge pages refuses, and the memory is as good as any.
  static_cast<void>(madvise(data_, static_cast<std::size_t>(bytes_), MADV_HUGEPAGE));
}

HugeMemory::~HugeMemory() {
  if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(bytes_));
}

std::int64_t HugeMemory::in_huge_pages() const {
  return machine::in_huge_pages(data_, bytes_);
}

std::int64_t in_huge_pages(const std::byte* from, std::int64_t bytes) {
  std::ifstream smaps("/proc/self/smaps");
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const auto end = begin + static_cast<std::uintptr_t>(bytes);
  Range range;
  std::int64_t found = 0;
  for (std::string line; std::getline(smaps, line);) {
    if (const Range mapping = range_of(line); mapping.end != 0) range = mapping;
    // Neighbouring mappings may have been merged into one entry; then a part has no exact number.
    std::int64_t kibibyte = 0;
    if (std::sscanf(line.c_str(), "AnonHugePages: %" SCNd64, &kibibyte) != 1 &&
        std::sscanf(line.c_str(), "ShmemPmdMapped: %" SCNd64, &kibibyte) != 1)
      continue;
    if (range.begin < end && range.end > begin) found += kibibyte * 1024;
  }
  return std::min(found, bytes);
}

}  // namespace steelyard::machine
