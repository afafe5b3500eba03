// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/schedule.hpp"

#include <algorithm>
#include <bit>

namespace steelyard::hpcc::hpl {
namespace {

Transfer pieces(Direction direction, int partner, Bounds bounds, int first, int last) {
  const auto from = bounds[static_cast<std::size_t>(first)], to = bounds[static_cast<std::size_t>(last)];
  return {direction, partner, from, to - from};
}

int members(Bounds bounds) {
  return static_cast<int>(bounds.size()) - 1;
}

/// Way of whole messages: from whom a member gets one and to whom it passes it on.
struct Hops {
  int from = -1;
  std::vector<int> to;
};

/// Adds a ring from `first` to `last`, both included, that is fed by member 0.
void ring(Hops& hops, int me, int first, int last) {
  if (first > last) return;
  if (me == 0) hops.to.push_back(first);
  if (me < first || me > last) return;
  hops.from = me == first ? 0 : me - 1;
  if (me < last) hops.to.push_back(me + 1);
}

Hops hops(Broadcast broadcast, int size, int me) {
  const int half = (size + 1) / 2, last = size - 1;
  Hops all;
  switch (broadcast) {
    case Broadcast::ring: ring(all, me, 1, last); break;
    case Broadcast::ring_modified:
      ring(all, me, 1, 1);
      ring(all, me, 2, last);
      break;
    case Broadcast::two_rings:
      ring(all, me, 1, half - 1);
      ring(all, me, half, last);
      break;
    case Broadcast::two_rings_modified:
      if (half > 1) ring(all, me, 1, 1);
      ring(all, me, 2, half - 1);
      ring(all, me, half, last);
      break;
    default: break;
  }
  return all;
}

Steps whole_messages(const Hops& hops, std::int64_t length) {
  Steps steps;
  if (hops.from >= 0) steps.push_back({{Direction::receive, hops.from, 0, length}});
  Step onward;
  for (const int to : hops.to) onward.push_back({Direction::send, to, 0, length});
  if (!onward.empty()) steps.push_back(onward);
  return steps;
}

Steps spread_and_roll(int size, int me, std::int64_t length) {
  Steps steps;
  const auto bounds = even_bounds(length, size);
  append_spread(steps, bounds, me);
  append_roll(steps, bounds, me);
  return steps;
}

/// Steps in which member 1 gets everything at once and takes no further part.
Steps spread_and_roll_modified(int size, int me, std::int64_t length) {
  if (me == 1) return {{{Direction::receive, 0, 0, length}}};
  Steps steps;
  if (me == 0) steps.push_back({{Direction::send, 1, 0, length}});
  if (size < 3) return steps;
  auto others = spread_and_roll(size - 1, std::max(me - 1, 0), length);
  for (auto& step : others)
    for (auto& transfer : step)
      if (transfer.partner > 0) ++transfer.partner;
  std::ranges::move(others, std::back_inserter(steps));
  return steps;
}

}  // namespace

void append_spread(Steps& steps, Bounds bounds, int me) {
  const int size = members(bounds);
  const int own = me == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : me & -me;
  if (me != 0) steps.push_back({pieces(Direction::receive, me - own, bounds, me, std::min(me + own, size))});
  Step onward;
  for (int span = own / 2; span > 0; span /= 2)
    if (me + span < size)
      onward.push_back(pieces(Direction::send, me + span, bounds, me + span, std::min(me + 2 * span, size)));
  if (!onward.empty()) steps.push_back(std::move(onward));
}

void append_roll(Steps& steps, Bounds bounds, int me) {
  const int size = members(bounds);
  const auto around = [size](int member) { return (member + 2 * size) % size; };
  const auto piece = [&](Direction direction, int partner, int which) {
    return pieces(direction, partner, bounds, which, which + 1);
  };
  for (int k = 0; k + 1 < size; ++k) {
    const int l = k / 2, sign = (me + k) % 2 == 1 ? 1 : -1, partner = around(me - sign);
    const int outgoing = around(me + sign * l), incoming = around(me - sign * (l + 1));
    steps.push_back(
        {piece(Direction::receive, partner, incoming), piece(Direction::send, partner, outgoing)});
  }
}

std::vector<std::int64_t> even_bounds(std::int64_t length, int size) {
  const auto each = std::max<std::int64_t>(1, length / size);
  std::vector<std::int64_t> bounds;
  for (int i = 0; i < size; ++i) bounds.push_back(std::min(i * each, length));
  bounds.push_back(length);
  return bounds;
}

Steps broadcast_steps(Broadcast broadcast, int size, int me, std::int64_t length) {
  if (size < 2) return {};
  if (broadcast == Broadcast::spread_roll) return spread_and_roll(size, me, length);
  if (broadcast == Broadcast::spread_roll_modified) return spread_and_roll_modified(size, me, length);
  return whole_messages(hops(broadcast, size, me), length);
}

}  // namespace steelyard::hpcc::hpl
