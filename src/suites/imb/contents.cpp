// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/contents.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace steelyard::imb {
namespace {

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
