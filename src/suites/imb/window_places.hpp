// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "suites/imb/point.hpp"

/// Places of the messages of a window, of benchmarks that send many before they wait.
namespace steelyard::imb {

/// Places of messages: message w of a window lies in slot w mod slots of either side.
[[nodiscard]] inline std::vector<std::byte*> places(const Area& area, int window) {
  auto cursor = area.cursor();
  std::vector<std::byte*> result(static_cast<std::size_t>(window));
  std::ranges::generate(result, [&] { return cursor.next(); });
  return result;
}

/// Whole side as one slot: in every repetition the window uses all of it.
[[nodiscard]] inline Area whole(const Area& area) {
  const auto bytes = area.layout.slots.bytes;
  return {area.base, {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}}};
}

[[nodiscard]] inline CheckedSides band_sides(const Point& point) {
  auto sides = point.checked_sides();
  sides.send = whole(point.send);
  sides.send_slots = point.send.layout;
  sides.receive = whole(point.receive);
  const bool overlapping = point.settings.window * point.size > separate_receives_limit;
  if (overlapping) sides.send_period = point.send.layout.slots.offset / point.stride();
  return sides;
}

/// Data that a window from `partner` delivers. Where receives overlap, all messages of the window are equal,
/// and so is what stands there at the end.
[[nodiscard]] inline Arrival window_arrival(const Point& point, int partner) {
  const auto from = places(point.send, point.settings.window);
  const auto to = places(point.receive, point.settings.window);
  Arrival arrival;
  for (std::size_t w = 0; w < to.size(); ++w) {
    if (w > 0 && to[w] <= to[w - 1]) break;
    arrival.segments.push_back({.at = (to[w] - point.receive.base) / point.stride(),
                                .bytes = point.size.count(),
                                .source = partner,
                                .from = (from[w] - point.send.base) / point.stride()});
  }
  return arrival;
}

}  // namespace steelyard::imb
