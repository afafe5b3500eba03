// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "measure/clock.hpp"
#include "measure/clock_model.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// The synchroniser of a mode over one group. The window mode needs a model of rank 0's clock on every rank: `timer` and
/// the result of synchronise_clocks. Lives as long as the communicator and the timer.
[[nodiscard]] std::unique_ptr<Synchroniser> make_synchroniser(Sync mode, const mpi::Communicator& group, Timer& timer);

struct ClockAgreement {
  ClockModel model;         // of this rank
  double error_max_s = 0;   // over the checked ranks, on rank 0
  double error_median_s = 0;
  double spent_s = 0;
};

/// HCA3-like tree over node leaders; nothing is estimated within a node whose ranks read the same clock.
/// Collective over the group; O(log P) rounds. Source: docs/methodology.md, "Synchronised clocks".
[[nodiscard]] ClockAgreement synchronise_clocks(const mpi::Communicator& group, Timer& timer);

}  // namespace steelyard::measure
