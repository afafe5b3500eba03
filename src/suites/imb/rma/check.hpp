// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "suites/imb/checker.hpp"
#include "suites/imb/rma/window.hpp"

/// Checks of transfers whose target makes no call. Not timed; all ranks of the group at the same time.
namespace steelyard::imb {

/// Calls of the benchmark itself, on one rank.
struct PassiveSubject {
  std::function<int()> start;  // one repetition
  std::function<int()> complete;
  std::function<void(std::uint64_t)> seek;
};

/// Promise of a completion at the origin alone: that its memory may be used again (put), or that it holds
/// what was read (get).
enum class Early { nothing, put, get };

/// Checks transfers of a benchmark that says what arrives. It looks at what has come when the benchmark's own
/// completion is over: the origins' epochs go on, so that their end completes nothing in its place. After a
/// completion at the origin alone a put's memory is overwritten before the epoch ends, and what was put must
/// still arrive; what was got must be there before the epoch ends. In aggregate mode transfers to sections
/// without a gap are one epoch. Throws mpi::Error.
[[nodiscard]] measure::CheckResult check_transfers(const Point& point, PassiveWindow& window,
                                                   const PassiveSubject& subject,
                                                   const std::function<Arrival(std::int64_t bytes)>& arrival,
                                                   Early early, std::uint64_t repetitions);

/// Updates of one place: each adds the same to every element.
struct Updates {
  bool fetches = false;  // into the receive side, one result in each of its slots
  bool own_operand =
      false;  // adds one, whatever the send side holds, to a place that is zero when the window is made
};

/// Checks updates. In aggregate mode all updates of the check are complete together, else each: the target
/// holds the first value and as many times what was added, the result of update i is the first value and i
/// times that. With an operand of its own the place must hold the number of updates that were `started` so
/// far; afterwards it is zero. Throws mpi::Error.
[[nodiscard]] measure::CheckResult check_updates(const Point& point, PassiveWindow& window,
                                                 const PassiveSubject& subject, const Updates& updates,
                                                 std::uint64_t started, std::uint64_t repetitions);

}  // namespace steelyard::imb
