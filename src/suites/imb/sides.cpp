// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/sides.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace steelyard::imb {
namespace {

SideLayout lay_out(std::int64_t length, const measure::OffCache& off_cache, std::uint64_t operations) {
  if (!off_cache.on() || length == 0) return {length, {.offset = length, .slots = 1, .bytes = length}};
  return {length, measure::slot_layout(length, off_cache, operations)};
}

// Layout with so many places, whatever the cache needs: transfers must not overlap.
SideLayout in_sections(const SideLayout& layout, std::int64_t count) {
  return {layout.length,
          {.offset = layout.slots.offset, .slots = count, .bytes = in_memory(count, layout.slots.offset)}};
}

// Aggregate transfers are complete together, so each has a section of its own: sizes one after the other, or
// spaced as the cache asks where that needs more memory.
SideLayout disjoint(std::int64_t length, const measure::OffCache& off_cache, std::uint64_t operations) {
  const auto count = static_cast<std::int64_t>(operations);
  const SideLayout close{length, {.offset = length, .slots = count, .bytes = in_memory(count, length)}};
  const auto spaced = lay_out(length, off_cache, operations);
  return spaced.slots.bytes > close.slots.bytes ? in_sections(spaced, count) : close;
}

Sides message_rate_sides(const Settings& settings, Bytes size, std::int64_t length) {
  const auto window = static_cast<std::uint64_t>(settings.window);
  const auto one = lay_out(length, settings.off_cache, window);
  if (in_memory(settings.window, size.count()) > separate_receives_limit.count()) return {one, one, true};
  return {one, in_sections(one, settings.window), false};
}

void fill_slot(std::byte* slot, std::int64_t length, int rank) {
  const float base = 0.1F * static_cast<float>(rank + 1);
  const auto element = [base](std::int64_t i) {
    return base + static_cast<float>(static_cast<std::int32_t>(i));
  };
  const std::int64_t whole = std::min<std::int64_t>(length / 4, std::numeric_limits<std::int32_t>::max());
  for (std::int64_t i = 0; i < whole; ++i) {
    const float value = element(i);
    std::memcpy(slot + 4 * i, &value, 4);
  }
  for (std::int64_t at = 4 * whole; at < length; at += 4) {
    const float value = base + static_cast<float>(at / 4);
    std::memcpy(slot + at, &value, static_cast<std::size_t>(std::min<std::int64_t>(4, length - at)));
  }
}

}  // namespace

Sides sides(const Settings& settings, const Definition& definition, Bytes size, int processes,
            std::uint64_t operations, Mode mode) {
  const auto factor = stride(settings.contiguous_type);
  if (definition.kind == Class::message_rate)
    return message_rate_sides(settings, size, in_memory(factor, std::max<std::int64_t>(size.count(), 4)));
  const auto unit = size_of(element_type(settings, definition));
  const auto need =
      buffer_need(definition, settings.version, size, processes, sections(settings, definition), unit);
  if (definition.one_sided && mode == Mode::aggregate) {
    const bool of_their_own = definition.together == Together::sections && settings.version == Version::v31;
    const auto receive = disjoint(need.receive, settings.off_cache, operations);
    if (of_their_own) return {disjoint(need.send, settings.off_cache, operations), receive};
    if (definition.together == Together::results)
      return {lay_out(need.send, settings.off_cache, operations), receive};
  }
  return {lay_out(factor * need.send, settings.off_cache, operations),
          lay_out(factor * need.receive, settings.off_cache, operations)};
}

void fill_send(const Area& area, int rank) {
  if (area.layout.length == 0) return;
  const auto& slots = area.layout.slots;
  if (slots.offset == area.layout.length) return fill_slot(area.base, slots.bytes, rank);
  for (std::int64_t slot = 0; slot < slots.slots; ++slot)
    fill_slot(area.base + slot * slots.offset, area.layout.length, rank);
}

void fill_receive(const Area& area) {
  if (area.layout.slots.bytes > 0)
    std::memset(area.base, 0, static_cast<std::size_t>(area.layout.slots.bytes));
}

}  // namespace steelyard::imb
