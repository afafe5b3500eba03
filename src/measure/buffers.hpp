// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <vector>

namespace steelyard::measure {

/// Setting of --off-cache: consecutive operations use disjoint buffers that together exceed the cache.
struct OffCache {
  std::int64_t cache_byte = 0;  // 0 = off: one slot, the buffer stays warm
  std::int64_t line_byte = 64;
  [[nodiscard]] bool on() const { return cache_byte > 0; }
};

/// Layout of one side (send or receive) of a point: offset = (ceil(length / line) + 1) * line, slots =
/// min(operations, ceil(2 * cache / offset)), operation i uses slot i mod slots. Source: IMB 3.1 User's
/// Guide, 5.1.2.4.
struct SlotLayout {
  std::int64_t offset = 0;
  std::int64_t slots = 1;
  std::int64_t bytes = 0;  // max(length, slots * offset)
};
[[nodiscard]] SlotLayout slot_layout(std::int64_t length, const OffCache& off_cache,
                                     std::uint64_t operations);

/// Walk over the slots of one side: next() costs an addition and a comparison.
class SlotCursor {
 public:
  SlotCursor() = default;
  SlotCursor(std::byte* base, const SlotLayout& layout)
      : base_(base),
        at_(base),
        end_(base + static_cast<std::ptrdiff_t>(layout.slots * layout.offset)),
        step_(static_cast<std::ptrdiff_t>(layout.offset)) {}
  std::byte* next() noexcept {
    std::byte* here = at_;
    at_ += step_;
    if (at_ == end_) at_ = base_;
    return here;
  }
  [[nodiscard]] std::byte* peek() const noexcept { return at_; }
  void seek(std::uint64_t i) noexcept {
    const auto slots = static_cast<std::uint64_t>((end_ - base_) / (step_ == 0 ? 1 : step_));
    at_ = slots == 0 ? base_ : base_ + static_cast<std::int64_t>(i % slots) * step_;
  }

 private:
  std::byte* base_ = nullptr;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::ptrdiff_t step_ = 0;
};

/// Request for huge pages. system: no request. off, madvise: advice that a kernel may ignore. explicit_pages:
/// from the pool that the system's administrator has set aside, or not at all.
enum class HugePages { system, off, madvise, explicit_pages };

/// Thrown if the pool of huge pages is too small for a request.
class NoHugePages : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "the system has too few huge pages set aside (vm.nr_hugepages) for --huge-pages explicit";
  }
};

/// Source of an arena's memory, at least 8-byte aligned. Exceptions of take() pass through the arena.
struct RawMemory {
  std::function<std::byte*(std::int64_t bytes)> take;
  std::function<void(std::byte* memory, std::int64_t bytes)> give_back;
};
/// Source that takes pages of the system. Throws std::bad_alloc, NoHugePages when it takes.
[[nodiscard]] RawMemory system_memory(HugePages huge);

/// Memory of an earlier arena, kept for the next one: pages that were used once cost less than new ones, far
/// less where a host has to find them. An arena writes all of its memory when it is made, whatever it held
/// before. Not for use by two threads at once; outlives the arenas.
class KeptMemory {
 public:
  KeptMemory() = default;
  ~KeptMemory() { release(); }
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

  /// Source that hands out the kept piece if it is long enough, else memory from `source`, which is always
  /// the same one. Of the pieces that come back the longest is kept.
  [[nodiscard]] RawMemory before(RawMemory source);
  /// Gives back the kept piece.
  void release();

 private:
  struct Piece {
    std::byte* memory = nullptr;
    std::int64_t bytes = 0;
  };
  std::byte* take(std::int64_t bytes);
  void give_back(std::byte* memory);

  RawMemory source_;
  Piece kept_;
  std::vector<Piece> lent_;
};

/// Page-aligned memory for the points of one block: `placements` copies of a send and a receive area, each
/// spaced by its length rounded up to 4 KiB plus an odd multiple of 4 KiB, every page touched by the owner,
/// with a guard of 64 bytes around each area. The engine decides which visit takes which one. Nothing is
/// shared between ranks.
class Arena {
 public:
  struct Need {
    std::int64_t send_byte = 0;
    std::int64_t receive_byte = 0;
  };
  /// Makes as many placements (4, 2 or 1) as fit into a quarter of budget_byte. `alignment` is that of the
  /// first byte of each area, at least 64. Send areas hold bytes that are never 0, receive areas 0x5a. Throws
  /// std::bad_alloc if the memory cannot be had (found before pages are touched), std::invalid_argument for a
  /// negative length or an alignment that is no power of two.
  Arena(Need need, std::int64_t budget_byte, std::int64_t alignment = 64, HugePages huge = HugePages::system);
  /// Makes the same in memory from elsewhere.
  Arena(Need need, std::int64_t budget_byte, std::int64_t alignment, RawMemory source);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] int placements() const { return placements_; }
  [[nodiscard]] std::span<std::byte> send(int placement) const;
  [[nodiscard]] std::span<std::byte> receive(int placement) const;
  /// Bytes that were changed within 64 bytes before and after the areas of a placement.
  [[nodiscard]] std::int64_t guard_damage(int placement) const;

  static constexpr std::int64_t guard_byte = 64;

 private:
  [[nodiscard]] std::byte* first() const;
  void touch();

  RawMemory source_;
  Need need_;
  std::int64_t alignment_;
  std::int64_t send_stride_ = 0, receive_stride_ = 0;
  int placements_ = 1;
  std::byte* memory_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace steelyard::measure
