// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

#include <algorithm>

namespace steelyard::imb {
namespace {

Area first_sections(const Area& area, std::uint64_t count) {
  const auto bytes = static_cast<std::int64_t>(count) * area.layout.slots.offset;
  return {area.base, {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}}};
}

}  // namespace

CheckedEpoch checked_epoch(const Point& point, std::uint64_t transfers) {
  CheckedEpoch epoch{.sides = point.checked_sides()};
  const auto& slots = point.receive.layout.slots;
  if (point.mode != Mode::aggregate || slots.offset != point.size.count()) return epoch;
  epoch.transfers = std::clamp<std::uint64_t>(transfers, 1, static_cast<std::uint64_t>(slots.slots));
  epoch.sides.send_slots = point.send.layout;
  epoch.sides.send = first_sections(point.send, epoch.transfers);
  epoch.sides.receive = first_sections(point.receive, epoch.transfers);
  return epoch;
}

}  // namespace steelyard::imb
