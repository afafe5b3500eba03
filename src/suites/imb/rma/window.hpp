// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/handle.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// On whom one rank works through a window of passive targets: on nobody, on some ranks with a shared lock on
/// each, or on all with one call.
struct Access {
  enum class Lock { none, each, all };
  Lock lock = Lock::none;
  std::vector<int> targets = {};  // of Lock::each
};

/// Memory of every rank of a group that others reach while its owner makes no call for it. The access epoch of a
/// rank that works on others is open as long as the window, so that no lock is measured.
class PassiveWindow {
 public:
  /// Collective: over all slots of the area, displacements in `unit` bytes, with the user's hints. Then opens the
  /// epoch: what that answers is in error(). Throws mpi::Error.
  PassiveWindow(const Point& point, const Area& exposed, int unit, Access access);
  PassiveWindow(PassiveWindow&&) noexcept = default;
  PassiveWindow& operator=(PassiveWindow&&) = delete;
  ~PassiveWindow() { static_cast<void>(close()); }

  [[nodiscard]] MPI_Win get() const noexcept { return window_.get(); }
  /// Whether this rank has an epoch: it may work on its targets.
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  /// Of the opening of the epoch.
  [[nodiscard]] int error() const noexcept { return error_; }

  /// All transfers of this rank are complete at their targets; or as far as its own memory is concerned. Error
  /// code.
  int flush() noexcept;
  int flush_local() noexcept;
  /// The epoch ends, with all its transfers complete; and begins. Nothing on a rank without one. Error code.
  int close() noexcept;
  int open() noexcept;
  /// Others see what this rank has stored into its own memory, and this rank what they have put there and
  /// completed; their epochs go on. Error code.
  int synchronise() noexcept;

 private:
  mpi::WindowHandle window_;
  Access access_;
  int rank_;
  bool open_ = false;
  int error_ = 0;
};

}  // namespace steelyard::imb
