// SPDX-License-Identifier: Apache-2.0
#include "machine/pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "machine/source.hpp"
#include "machine/text.hpp"

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

constexpr std::int64_t kibibyte = 1 << 10, least_area_byte = 1 << 20;

/// An area by the words of its line: "7f1b28000000 default anon=512 dirty=512 N0=500 N1=12 kernelpagesize_kB=4".
PagePlaces area(std::string_view line, int domain) {
  std::int64_t pages = 0, remote = 0, page_byte = 0;
  for (const auto word : words(line)) {
    const auto equals = word.find('=');
    if (equals == word.npos) continue;
    const auto name = word.substr(0, equals);
    if (name == "file") return {};
    const auto value = whole(word.substr(equals + 1));
    if (name == "kernelpagesize_kB") page_byte = value.value_or(0) * kibibyte;
    const auto number = name.starts_with("N") ? whole(name.substr(1)) : std::nullopt;
    if (!number || !value) continue;
    pages += *value;
    if (*number != domain) remote += *value;
  }
  if (pages * page_byte < least_area_byte) return {};
  return {pages * page_byte, remote * page_byte};
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

std::optional<int> one_domain_of_several(const Roots& roots) {
  const auto entries = Source(roots).names("/sys/devices/system/node");
  const auto is_domain = [](const std::string& name) {
    return name.starts_with("node") && whole(std::string_view(name).substr(4)).has_value();
  };
  return std::ranges::count_if(entries, is_domain) < 2 ? std::nullopt : own_domain(roots);
}

PagePlaces page_places(int domain, const Roots& roots) {
  PagePlaces all;
  std::istringstream lines(Source(roots).peek("/proc/self/numa_maps").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto one = area(line, domain);
    all.byte += one.byte;
    all.remote_byte += one.remote_byte;
  }
  return all;
}

}  // namespace steelyard::machine
