// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/huge_view.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "machine/pages.hpp"

namespace steelyard::hpcc {
namespace {

constexpr auto huge_page = static_cast<std::uintptr_t>(machine::HugeMemory::huge_page);
constexpr std::int64_t fewest_pages = 4;  // huge ones
constexpr int advice_collapse = 25;       // MADV_COLLAPSE, which the headers of older systems lack

std::uintptr_t address_of(const std::byte* at) {
  return reinterpret_cast<std::uintptr_t>(at);
}

/// Place of an address of a shared mapping in the shared object, from
/// /proc/self/maps; nullopt for other memory.
std::optional<std::uintptr_t> place_in_object(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0, offset = 0;
    char kind = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*c%*c%*c%c %" SCNxPTR, &begin, &end, &kind,
                    &offset) != 4)
      continue;
    if (address >= begin && address < end)
      return kind == 's' ? std::optional(offset + (address - begin)) : std::nullopt;
  }
  return std::nullopt;
}

/// Reserves addresses for so many bytes that may begin anywhere in a huge page; nullptr if there are none.
std::byte* reserve(std::size_t bytes) {
  void* room =
      mmap(nullptr, bytes + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room == MAP_FAILED ? nullptr : static_cast<std::byte*>(room);
}

}  // namespace

HugeView::HugeView(std::byte* memory, std::int64_t bytes) {
  if (bytes < fewest_pages * machine::HugeMemory::huge_page) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t within = address_of(memory) % page;
  const auto place = place_in_object(address_of(memory) - within);
  if (!place) return;
  const std::size_t length = (static_cast<std::size_t>(bytes) + within + page - 1) / page * page;
  std::byte* const room = reserve(length);
  if (room == nullptr) return;
  const std::uintptr_t skipped = (*place % huge_page + huge_page - address_of(room) % huge_page) % huge_page;
  // For shared memory, an old length of 0 maps the same pages once more and leaves the mapping that there is.
  void* const view = mremap(memory - within, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, room + skipped);
  if (view == MAP_FAILED) {
    munmap(room, length + huge_page);
    return;
  }
  if (skipped > 0) munmap(room, skipped);
  if (skipped < huge_page) munmap(room + skipped + length, huge_page - skipped);
  mapped_ = static_cast<std::byte*>(view);
  mapped_bytes_ = length;
  data_ = mapped_ + within;
  bytes_ = bytes;
}

HugeView::~HugeView() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

/// A page that lies there tells the kernel the domain.
void HugeView::populate() const noexcept {
  if (data_ == nullptr) return;
  for (std::int64_t at = 0; at < bytes_; at += machine::HugeMemory::huge_page) data_[at] = std::byte{};
  collapse();
}

/// Leaves huge pages of which a neighbour has a part as they are.
void HugeView::collapse() const noexcept {
  if (data_ == nullptr) return;
  const std::uintptr_t skipped = (huge_page - address_of(data_) % huge_page) % huge_page;
  const std::uintptr_t whole = (static_cast<std::uintptr_t>(bytes_) - skipped) / huge_page * huge_page;
  static_cast<void>(madvise(data_ + skipped, whole, advice_collapse));
}

}  // namespace steelyard::hpcc
