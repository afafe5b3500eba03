// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/handle.hpp"
#include "suites/imb/checker.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Targets that one rank works on through a window: none, some ranks with a shared lock on each, or
/// all with one call.
struct WindowAccess {
  enum class Lock { none, each, all };
  Lock lock = Lock::none;
  std::vector<int> targets = {};  // of Lock::each
};

/// Memory of every rank of a group that others reach while its owner makes no call for it. The access epoch
/// of a rank that works on others is open as long as the window, so that no lock is measured.
class PassiveWindow {
 public:
  /// Makes the window over all slots of the area, displacements in `unit` bytes, with the user's hints. Then
  /// opens the epoch, whose error code is in error(). Collective. Throws mpi::Error.
  PassiveWindow(const Point& point, const Area& exposed, int unit, WindowAccess access);
  PassiveWindow(PassiveWindow&&) noexcept = default;
  PassiveWindow& operator=(PassiveWindow&&) = delete;
  ~PassiveWindow() { static_cast<void>(close()); }

  [[nodiscard]] MPI_Win get() const noexcept { return window_.get(); }
  /// Whether this rank has an epoch: it may work on its targets.
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  /// Error code of the opening of the epoch.
  [[nodiscard]] int error() const noexcept { return error_; }

  /// Completes all transfers of this rank at their targets, or as far as its own memory is
  /// concerned. Error code.
  int flush() noexcept;
  int flush_local() noexcept;
  /// Ends the epoch, with all its transfers complete, and begins it. No effect on a rank
  /// without one. Error code.
  int close() noexcept;
  int open() noexcept;
  /// Lets others see what this rank has stored into its own memory, and this rank what they have put there
  /// and completed; their epochs go on. Error code.
  int synchronise() noexcept;

 private:
  mpi::WindowHandle window_;
  WindowAccess access_;
  int rank_;
  bool open_ = false;
  int error_ = 0;
};

// Checks of transfers whose target makes no call. Not timed; all ranks of the group at the same time.

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
