// SPDX-License-Identifier: Apache-2.0
#include "measure/buffers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace steelyard::measure {
namespace {

constexpr std::int64_t page = 4096;
/// Odd, so that areas of a power of two do not share their cache sets.
constexpr std::int64_t gap_pages = 3;
constexpr std::int64_t most_placements = 4;
constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 64;

constexpr std::byte guard_value{0xc3};
constexpr std::byte poison{0x5a};

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

/// Distance from one area to the next: both guards, whole pages, the gap.
std::int64_t stride(std::int64_t length, std::int64_t alignment) {
  return round_up(round_up(length + 2 * Arena::guard_byte, page) + gap_pages * page, alignment);
}

/// Figure of /proc/meminfo in bytes; nullopt if it is not there.
std::optional<std::int64_t> meminfo_byte(std::string_view wanted) {
  std::ifstream meminfo("/proc/meminfo");
  std::string name, unit;
  for (std::int64_t kibibyte = 0; meminfo >> name >> kibibyte; std::getline(meminfo, unit)) {
    if (name == wanted) return kibibyte * 1024;
  }
  return std::nullopt;
}

/// Memory that the kernel says can be had without swapping. Where pages are promised without being there,
/// touching them would end the process instead of throwing.
std::int64_t available_byte() {
  if (const auto available = meminfo_byte("MemAvailable:")) return *available;
  return std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
}

constexpr int private_pages = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr int advice_populate = 23;  // MADV_POPULATE_WRITE, which the headers of older systems lack

std::byte* map(std::int64_t bytes, int flags) {
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

std::byte* map_pages(std::int64_t bytes, HugePages huge) {
  std::byte* const memory = bytes > available_byte() ? nullptr : map(bytes, private_pages);
  if (memory == nullptr) throw std::bad_alloc();
  if (huge != HugePages::system) {
    // Advice only: a kernel without huge pages refuses, and the buffers are as good as any.
    static_cast<void>(madvise(memory, static_cast<std::size_t>(bytes),
                              huge == HugePages::madvise ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
  }
  // All pages at once: one after the other as they are touched they take twice as long and more where an
  // interrupt of the processor is dear. Kernels before 5.14 refuse, which costs nothing.
  static_cast<void>(madvise(memory, static_cast<std::size_t>(bytes), advice_populate));
  return memory;
}

void unmap(std::byte* memory, std::int64_t bytes) {
  munmap(memory, static_cast<std::size_t>(bytes));
}

/// Whole pages of the pool; the kernel reserves them here, so that touching them cannot fail.
RawMemory pool_of_huge_pages() {
  const std::int64_t step = meminfo_byte("Hugepagesize:").value_or(0);
  const auto take = [step](std::int64_t bytes) {
    std::byte* const memory = step > 0 ? map(round_up(bytes, step), private_pages | MAP_HUGETLB) : nullptr;
    if (memory == nullptr) throw NoHugePages();
    return memory;
  };
  return {take, [step](std::byte* memory, std::int64_t bytes) { unmap(memory, round_up(bytes, step)); }};
}

/// Bytes that differ from page to page and within a page, never 0: pages are neither merged nor compressed away.
void write_contents(std::span<std::byte> area) {
  constexpr std::uint64_t odd_bytes = 0x0101010101010101U, step = 0x9e3779b97f4a7c15U;
  constexpr std::size_t size = sizeof(std::uint64_t);
  std::uint64_t state = 0;
  const auto put = [&](std::size_t at, std::size_t bytes) {
    state += step;
    const std::uint64_t word = (state ^ (state >> 29U)) | odd_bytes;
    std::memcpy(area.data() + at, &word, bytes);
  };
  const std::size_t whole = area.size() / size * size;  // a store each, as large areas take long
  for (std::size_t at = 0; at < whole; at += size) put(at, size);
  if (whole < area.size()) put(whole, area.size() - whole);
}

std::int64_t changed(std::span<const std::byte> guard) {
  return std::ranges::count_if(guard, [](std::byte b) { return b != guard_value; });
}

void check(const Arena::Need& need, std::int64_t alignment) {
  if (need.send_byte < 0 || need.receive_byte < 0) throw std::invalid_argument("a buffer of negative length");
  if (alignment <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
    throw std::invalid_argument("the alignment of buffers must be a power of two");
  }
  if (need.send_byte > longest || need.receive_byte > longest || alignment > longest) throw std::bad_alloc();
}

}  // namespace

SlotLayout slot_layout(std::int64_t length, const OffCache& off_cache, std::uint64_t operations) {
  if (!off_cache.on()) return {0, 1, length};
  const std::int64_t line = off_cache.line_byte;
  const std::int64_t offset = ((length + line - 1) / line + 1) * line;
  const std::int64_t wanted = (2 * off_cache.cache_byte + offset - 1) / offset;
  const std::uint64_t slots = std::clamp<std::uint64_t>(operations, 1, static_cast<std::uint64_t>(wanted));
  const auto count = static_cast<std::int64_t>(slots);
  return {offset, count, std::max(length, count * offset)};
}

RawMemory system_memory(HugePages huge) {
  if (huge == HugePages::explicit_pages) return pool_of_huge_pages();
  return {[huge](std::int64_t bytes) { return map_pages(bytes, huge); }, unmap};
}

RawMemory KeptMemory::before(RawMemory source) {
  source_ = std::move(source);
  return {[this](std::int64_t bytes) { return take(bytes); },
          [this](std::byte* memory, std::int64_t) { give_back(memory); }};
}

std::byte* KeptMemory::take(std::int64_t bytes) {
  if (kept_.bytes < bytes) {
    release();
    kept_ = {source_.take(bytes), bytes};
  }
  lent_.push_back(std::exchange(kept_, {}));
  return lent_.back().memory;
}

void KeptMemory::give_back(std::byte* memory) {
  const auto lent = std::ranges::find(lent_, memory, &Piece::memory);
  Piece shorter = *lent;
  lent_.erase(lent);
  if (shorter.bytes > kept_.bytes) std::swap(shorter, kept_);
  if (shorter.memory != nullptr) source_.give_back(shorter.memory, shorter.bytes);
}

void KeptMemory::release() {
  if (kept_.memory != nullptr) source_.give_back(kept_.memory, kept_.bytes);
  kept_ = {};
}

Arena::Arena(Need need, std::int64_t budget_byte, std::int64_t alignment, HugePages huge)
    : Arena(need, budget_byte, alignment, system_memory(huge)) {}

Arena::Arena(Need need, std::int64_t budget_byte, std::int64_t alignment, RawMemory source)
    : source_(std::move(source)), need_(need), alignment_(std::max<std::int64_t>(alignment, guard_byte)) {
  check(need, alignment);
  send_stride_ = stride(need.send_byte, alignment_);
  receive_stride_ = stride(need.receive_byte, alignment_);
  const std::int64_t one = send_stride_ + receive_stride_;
  placements_ = static_cast<int>(most_placements);
  while (placements_ > 1 && placements_ * one > budget_byte / 4) placements_ /= 2;
  // Room before the first area for its guard, whatever alignment the mapping happens to have.
  bytes_ = placements_ * one + 2 * alignment_;
  memory_ = source_.take(bytes_);
  touch();
}

Arena::~Arena() {
  source_.give_back(memory_, bytes_);
}

std::byte* Arena::first() const {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory_) + guard_byte;
  const auto step = static_cast<std::uintptr_t>(alignment_);
  return memory_ + ((address + step - 1) / step * step - (address - guard_byte));
}

std::span<std::byte> Arena::send(int placement) const {
  return {first() + placement * (send_stride_ + receive_stride_), static_cast<std::size_t>(need_.send_byte)};
}

std::span<std::byte> Arena::receive(int placement) const {
  return {first() + placement * (send_stride_ + receive_stride_) + send_stride_,
          static_cast<std::size_t>(need_.receive_byte)};
}

std::int64_t Arena::guard_damage(int placement) const {
  std::int64_t damage = 0;
  for (const auto area : {send(placement), receive(placement)}) {
    damage += changed({area.data() - guard_byte, guard_byte});
    damage += changed({area.data() + area.size(), guard_byte});
  }
  return damage;
}

void Arena::touch() {
  std::byte* around = memory_;  // the space between areas; every byte is written once, large areas take long
  const auto guard_until = [&around](std::span<std::byte> area) {
    std::fill(around, area.data(), guard_value);
    around = area.data() + area.size();
  };
  for (int p = 0; p < placements_; ++p) {
    write_contents(send(p));
    guard_until(send(p));
    std::ranges::fill(receive(p), poison);
    guard_until(receive(p));
  }
  std::fill(around, memory_ + bytes_, guard_value);
}

}  // namespace steelyard::measure
