// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/handle.hpp"
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

}  // namespace steelyard::imb
