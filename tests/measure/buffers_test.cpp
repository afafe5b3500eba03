// SPDX-License-Identifier: Apache-2.0
#include "measure/buffers.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <vector>

namespace steelyard::measure {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t plenty = std::int64_t{1} << 40;

struct SlotCase {
  std::int64_t length;
  std::uint64_t operations;
  std::int64_t offset, slots, bytes;
};

class slot_layout_of_8_mebibyte : public testing::TestWithParam<SlotCase> {};

TEST_P(slot_layout_of_8_mebibyte, has_the_numbers_of_the_suite) {
  const SlotCase c = GetParam();
  const SlotLayout layout = slot_layout(c.length, {8 * mebibyte, 64}, c.operations);
  EXPECT_EQ(layout.offset, c.offset);
  EXPECT_EQ(layout.slots, c.slots);
  EXPECT_EQ(layout.bytes, c.bytes);
}

INSTANTIATE_TEST_SUITE_P(table, slot_layout_of_8_mebibyte,
                         testing::Values(SlotCase{1, 1000, 128, 1000, 128000},
                                         SlotCase{65, 1000, 192, 1000, 192000},
                                         SlotCase{4096, 1000, 4160, 1000, 4160000},
                                         SlotCase{65536, 640, 65600, 256, 16793600},
                                         SlotCase{1048576, 40, 1048640, 16, 16778240},
                                         SlotCase{4194304, 10, 4194368, 4, 16777472}));

TEST(slot_layout, warm_buffer_is_one_slot) {
  const SlotLayout layout = slot_layout(1000, {}, 1000);
  EXPECT_EQ(layout.slots, 1);
  EXPECT_EQ(layout.bytes, 1000);
}

TEST(slot_layout, neighbours_are_two_lines_apart) {
  for (const std::int64_t length : {0, 1, 63, 64, 65, 127, 128, 1000}) {
    EXPECT_GE(slot_layout(length, {mebibyte, 64}, 10).offset - length, 64);
  }
}

TEST(slot_cursor, walks_over_all_slots_and_starts_again) {
  std::array<std::byte, 1000> memory{};
  const SlotLayout layout{100, 3, 300};
  SlotCursor cursor(memory.data(), layout);
  std::vector<std::ptrdiff_t> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(cursor.next() - memory.data());
  EXPECT_EQ(seen, (std::vector<std::ptrdiff_t>{0, 100, 200, 0, 100, 200, 0}));
}

TEST(slot_cursor, seek_agrees_with_walking) {
  std::array<std::byte, 1000> memory{};
  const SlotLayout layout{64, 5, 320};
  SlotCursor walker(memory.data(), layout), seeker(memory.data(), layout);
  for (std::uint64_t i = 0; i < 23; ++i) {
    seeker.seek(i);
    EXPECT_EQ(seeker.peek(), walker.next());
  }
}

TEST(slot_cursor, warm_buffer_stays_in_place) {
  std::array<std::byte, 64> memory{};
  SlotCursor cursor(memory.data(), slot_layout(64, {}, 100));
  cursor.seek(17);
  EXPECT_EQ(cursor.next(), memory.data());
  EXPECT_EQ(cursor.next(), memory.data());
}

std::uintptr_t address(std::span<std::byte> area) {
  return reinterpret_cast<std::uintptr_t>(area.data());
}

/// Whole pages of a mapping that are there.
std::int64_t pages_there(std::byte* memory, std::int64_t bytes) {
  std::vector<unsigned char> there(static_cast<std::size_t>(bytes / 4096));
  if (mincore(memory, static_cast<std::size_t>(bytes), there.data()) != 0) return -1;
  return std::ranges::count_if(there, [](unsigned char page) { return (page & 1U) != 0; });
}

TEST(system_memory, has_its_pages_before_it_is_touched) {
  constexpr std::int64_t bytes = 1 << 20;
  constexpr int advice_populate = 23;
  void* const plain = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(plain, MAP_FAILED);
  const bool can = madvise(plain, bytes, advice_populate) == 0 &&
                   pages_there(static_cast<std::byte*>(plain), bytes) == bytes / 4096;
  munmap(plain, bytes);
  if (!can) GTEST_SKIP() << "the kernel gives pages as they are touched, or does not tell";
  const RawMemory source = system_memory(HugePages::system);
  std::byte* const memory = source.take(bytes);
  EXPECT_EQ(pages_there(memory, bytes), bytes / 4096);
  source.give_back(memory, bytes);
}

TEST(arena, areas_have_their_lengths_and_do_not_overlap) {
  const Arena arena({100'000, 33}, plenty);
  ASSERT_EQ(arena.placements(), 4);
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> areas;
  for (int p = 0; p < 4; ++p) {
    EXPECT_EQ(arena.send(p).size(), 100'000U);
    EXPECT_EQ(arena.receive(p).size(), 33U);
    for (const auto area : {arena.send(p), arena.receive(p)}) {
      areas.emplace_back(address(area) - Arena::guard_byte, address(area) + area.size() + Arena::guard_byte);
    }
  }
  std::ranges::sort(areas);
  for (std::size_t i = 1; i < areas.size(); ++i) EXPECT_LE(areas[i - 1].second, areas[i].first);
}

TEST(arena, placements_of_a_power_of_two_differ_in_their_cache_sets) {
  const Arena arena({mebibyte, mebibyte}, plenty);
  std::set<std::uintptr_t> places;
  for (int p = 0; p < arena.placements(); ++p) {
    places.insert(address(arena.send(p)) % mebibyte);
    places.insert(address(arena.receive(p)) % mebibyte);
  }
  EXPECT_EQ(places.size(), 8U);
}

TEST(arena, areas_are_aligned_as_asked) {
  for (const std::int64_t alignment : {1, 64, 4096, 65536, 2 * 1024 * 1024}) {
    const Arena arena({1000, 5000}, plenty, alignment);
    for (int p = 0; p < arena.placements(); ++p) {
      for (const auto area : {arena.send(p), arena.receive(p)}) {
        EXPECT_EQ(address(area) % static_cast<std::uintptr_t>(std::max<std::int64_t>(64, alignment)), 0U);
      }
    }
  }
}

TEST(arena, fewer_placements_when_the_budget_is_short) {
  EXPECT_EQ(Arena({mebibyte, mebibyte}, 40 * mebibyte).placements(), 4);
  EXPECT_EQ(Arena({mebibyte, mebibyte}, 30 * mebibyte).placements(), 2);
  EXPECT_EQ(Arena({mebibyte, mebibyte}, 10 * mebibyte).placements(), 1);
  EXPECT_EQ(Arena({mebibyte, mebibyte}, 0).placements(), 1);
}

TEST(arena, no_page_of_an_area_is_zero) {
  const Arena arena({20'000, 20'000}, plenty);
  for (int p = 0; p < arena.placements(); ++p) {
    EXPECT_EQ(std::ranges::count(arena.send(p), std::byte{0}), 0);
    EXPECT_EQ(std::ranges::count(arena.receive(p), std::byte{0x5a}), 20'000);
  }
  EXPECT_FALSE(std::ranges::equal(arena.send(0).first(4096), arena.send(0).subspan(4096, 4096)));
}

TEST(arena, byte_written_beside_an_area_is_found) {
  const Arena arena({1000, 2000}, plenty);
  EXPECT_EQ(arena.guard_damage(1), 0);
  arena.send(1)[999] = std::byte{0};
  EXPECT_EQ(arena.guard_damage(1), 0);
  *(arena.send(1).data() + 1000) = std::byte{0};
  EXPECT_EQ(arena.guard_damage(1), 1);
  *(arena.receive(1).data() - 64) = std::byte{0};
  *(arena.receive(1).data() + 2063) = std::byte{0};
  EXPECT_EQ(arena.guard_damage(1), 3);
  EXPECT_EQ(arena.guard_damage(0), 0);
}

TEST(arena, empty_areas_can_be_asked_for) {
  const Arena arena({0, 0}, plenty);
  EXPECT_NE(arena.send(3).data(), nullptr);
  EXPECT_TRUE(arena.receive(0).empty());
}

TEST(arena, huge_page_advice_changes_no_content) {
  for (const HugePages huge : {HugePages::off, HugePages::madvise}) {
    const Arena arena({5000, 5000}, plenty, 64, huge);
    EXPECT_EQ(std::ranges::count(arena.receive(0), std::byte{0x5a}), 5000);
  }
}

TEST(arena, explicit_huge_pages_are_had_or_refused_by_name) {
  try {
    const Arena arena({5000, 5000}, plenty, 64, HugePages::explicit_pages);
    EXPECT_EQ(std::ranges::count(arena.receive(0), std::byte{0x5a}), 5000);
    EXPECT_EQ(arena.guard_damage(0), 0);
  } catch (const NoHugePages& error) {
    EXPECT_NE(std::string_view(error.what()).find("vm.nr_hugepages"), std::string_view::npos);
  }
}

TEST(arena, memory_from_elsewhere_is_given_back_as_it_was_taken) {
  std::vector<std::byte> own(1 << 20);
  std::int64_t taken = 0;
  std::int64_t returned = 0;
  {
    const Arena arena({5000, 5000}, plenty, 64,
                      RawMemory{[&](std::int64_t bytes) {
                                  taken = bytes;
                                  return own.data();
                                },
                                [&](std::byte* memory, std::int64_t bytes) {
                                  EXPECT_EQ(memory, own.data());
                                  returned = bytes;
                                }});
    EXPECT_EQ(std::ranges::count(arena.receive(0), std::byte{0x5a}), 5000);
    EXPECT_GE(arena.send(0).data(), own.data());
    EXPECT_LE(taken, static_cast<std::int64_t>(own.size()));
  }
  EXPECT_EQ(returned, taken);
}

/// Counts what is out.
struct Counted {
  std::map<std::byte*, std::int64_t> out;
  int takes = 0;
  RawMemory memory() {
    return {[this](std::int64_t bytes) {
              ++takes;
              auto* const place = new std::byte[static_cast<std::size_t>(bytes)];
              out[place] = bytes;
              return place;
            },
            [this](std::byte* place, std::int64_t bytes) {
              EXPECT_EQ(out.at(place), bytes);
              out.erase(place);
              delete[] place;
            }};
  }
};

TEST(kept_memory, goes_to_the_next_arena_that_it_is_long_enough_for) {
  Counted source;
  {
    KeptMemory kept;
    const auto of_arena = [&](std::int64_t length) {
      const Arena arena({length, length}, 0, 64, kept.before(source.memory()));
      EXPECT_EQ(std::ranges::count(arena.receive(0), std::byte{0x5a}), length);
      EXPECT_EQ(arena.guard_damage(0), 0);
      std::ranges::fill(arena.receive(0), std::byte{1});
      return arena.receive(0).data();
    };
    of_arena(5000);
    of_arena(100);
    EXPECT_EQ(source.takes, 1);
    of_arena(50'000);
    EXPECT_EQ(source.takes, 2);
    EXPECT_EQ(source.out.size(), 1U) << "the shorter one is given back before";
    EXPECT_EQ(of_arena(49'000), of_arena(49'000));
    kept.release();
    EXPECT_TRUE(source.out.empty());
    of_arena(10);
    EXPECT_EQ(source.takes, 3);
  }
  EXPECT_TRUE(source.out.empty());
}

TEST(kept_memory, of_two_at_once_keeps_the_longer) {
  Counted source;
  KeptMemory kept;
  for (int i = 0; i < 2; ++i) {
    const Arena longer({50'000, 50'000}, 0, 64, kept.before(source.memory()));
    const Arena shorter({5000, 5000}, 0, 64, kept.before(source.memory()));
    EXPECT_EQ(source.out.size(), 2U);
  }
  EXPECT_EQ(source.takes, 3);
  ASSERT_EQ(source.out.size(), 1U);
  EXPECT_GT(source.out.begin()->second, 100'000);
}

TEST(kept_memory, that_cannot_be_had_leaves_nothing_behind) {
  KeptMemory kept;
  const RawMemory nothing{[](std::int64_t) -> std::byte* { throw std::bad_alloc(); },
                          [](std::byte*, std::int64_t) {}};
  EXPECT_THROW(Arena({10, 10}, 0, 64, kept.before(nothing)), std::bad_alloc);
  Counted source;
  { const Arena arena({10, 10}, 0, 64, kept.before(source.memory())); }
  kept.release();
  EXPECT_TRUE(source.out.empty());
}

TEST(arena, impossible_size_throws_and_does_not_kill) {
  const std::int64_t pebibyte = std::int64_t{1} << 50;
  EXPECT_THROW(Arena({pebibyte, 0}, plenty), std::bad_alloc);
  EXPECT_THROW(Arena({0, std::numeric_limits<std::int64_t>::max()}, plenty), std::bad_alloc);
}

TEST(arena, nonsense_is_refused) {
  EXPECT_THROW(Arena({-1, 0}, plenty), std::invalid_argument);
  EXPECT_THROW(Arena({1, 1}, plenty, 48), std::invalid_argument);
  EXPECT_THROW(Arena({1, 1}, plenty, 0), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::measure
