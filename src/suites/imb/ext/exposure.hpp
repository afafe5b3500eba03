// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

#include "mpi/handle.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Memory of every rank of a group that the others of the group reach through a window.
class Exposure {
 public:
  /// Collective. Makes the window over all slots of the area, with the user's hints, and begins an access
  /// epoch with a fence [001_04218b74f686a5f6.txt section 5.2.3.1]. Throws mpi::Error.
  Exposure(const Point& point, const Area& area);

  [[nodiscard]] MPI_Win get() const noexcept { return window_.get(); }
  /// Collective: completes all transfers of the epoch and begins the next one. Error code.
  int fence() const noexcept { return MPI_Win_fence(0, window_.get()); }

 private:
  mpi::WindowHandle window_;
};

/// What is known to help where this MPI library cannot make or use a window, to stand behind the reason of a
/// failure; empty where nothing is known.
[[nodiscard]] std::string window_advice();

/// The user's hints for windows; the null handle if there are none.
[[nodiscard]] mpi::InfoHandle window_hints(const Settings& settings);

}  // namespace steelyard::imb
