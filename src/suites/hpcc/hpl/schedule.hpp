// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "suites/hpcc/hpl/options.hpp"

/// Schedules of a thing that travels along a row or column of the grid: who sends what to whom. Members are
/// numbered by their distance from the one that has it first. Pure.
namespace steelyard::hpcc::hpl {

enum class Direction { send, receive };

/// Elements first .. first + count - 1 to or from a member.
struct Transfer {
  Direction direction = Direction::send;
  int partner = 0;
  std::int64_t first = 0, count = 0;
  friend bool operator==(const Transfer&, const Transfer&) = default;
};
/// Transfers that go on at the same time; the next step begins when all have ended.
using Step = std::vector<Transfer>;
using Steps = std::vector<Step>;

/// Piece i is elements bounds[i] .. bounds[i + 1] - 1; as many pieces as members.
using Bounds = std::span<const std::int64_t>;

/// Appends steps in which every member gets its piece along a binary tree. Pieces that pass
/// through a member stay there, too.
void append_spread(Steps& steps, Bounds bounds, int me);
/// Appends steps in which every member gets all pieces, in size - 1 exchanges with its neighbours in turn.
void append_roll(Steps& steps, Bounds bounds, int me);

/// Bounds of the pieces of a spread-and-roll broadcast (Lng): `size` pieces of length / size elements, at
/// least 1 where there are that many, the last with the rest.
[[nodiscard]] std::vector<std::int64_t> even_bounds(std::int64_t length, int size);

/// Steps of member `me` in the broadcast of a panel of `length` elements to `size` members.
[[nodiscard]] Steps broadcast_steps(Broadcast broadcast, int size, int me, std::int64_t length);

}  // namespace steelyard::hpcc::hpl
