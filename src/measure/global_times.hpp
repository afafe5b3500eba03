// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "measure/clock.hpp"
#include "measure/synchronise.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// Times of single operations on the clock that a group has in common: from the first start on any rank to
/// the last end. Source: docs/methodology.md, "Timing modes and synchronisation".
class GlobalTimes {
 public:
  explicit GlobalTimes(const mpi::Communicator& group) : group_(&group) {}

  /// Of the operations that the window has just separated; all spans have one element per operation. On the
  /// group's rank 0 `seconds` gets the times, elsewhere zeros. Returns there how many operations were late on
  /// any rank, elsewhere 0. Collective over the group: one reduction. Throws mpi::Error.
  [[nodiscard]] std::int64_t merge(const WindowSynchroniser& window, const Timer& timer,
                                   std::span<const Ticks> begin, std::span<const Ticks> end,
                                   std::span<double> seconds);

 private:
  const mpi::Communicator* group_;
  std::vector<double> own_, merged_;
};

}  // namespace steelyard::measure
