// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "campaign/disturbances.hpp"
#include "machine/page_places.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::campaign {

/// Where the buffers of this process lie while it measures: a process that is bound to a NUMA domain expects them there.
class PageWatch {
 public:
  explicit PageWatch(const machine::Roots& roots = {});

  /// Looks at the memory that is in use now, unless looking has taken more than a part of the time so far. Does not
  /// communicate.
  void look(double elapsed_s);
  /// Adds what all processes saw. Collective. Throws mpi::Error.
  void tell(const mpi::Communicator& world, Disturbances& met) const;

 private:
  machine::Roots roots_;
  std::optional<int> domain_;
  double spent_s_ = 0, share_ = 0;  // of the memory that is elsewhere, at most
};

}  // namespace steelyard::campaign
