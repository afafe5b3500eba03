// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "measure/clock.hpp"
#include "mpi/communicator.hpp"
#include "stats/states.hpp"

namespace steelyard::measure {

/// Recognises the machine's state before a visit: cache line exchange between the first two ranks of each
/// node, and two short arithmetic kernels on every rank (methodology, "Machine states"). 20 to 60 us.
class StateProbe {
 public:
  /// Collective over comm.
  StateProbe(const mpi::Communicator& comm, Timer& timer);
  ~StateProbe();
  /// Collective; this rank's values (the engine takes the maximum over ranks with its reduction).
  [[nodiscard]] stats::Probe measure();
  [[nodiscard]] double cost_s() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace steelyard::measure
