// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// The synchroniser of a mode over one group. The window mode needs a model of rank 0's clock on every rank: `timer` and
/// the result of synchronise_clocks. Lives as long as the communicator and the timer.
[[nodiscard]] std::unique_ptr<Synchroniser> make_synchroniser(Sync mode, const mpi::Communicator& group, Timer& timer);

/// G(x) = x - (offset + slope (x - x0)): this rank's clock to that of rank 0, in seconds of the timer.
struct ClockModel {
  double offset_s = 0;
  double slope = 0;
  double x0_s = 0;
  [[nodiscard]] double global(double local_s) const { return local_s - (offset_s + slope * (local_s - x0_s)); }
};

struct ClockAgreement {
  ClockModel model;         // of this rank
  double error_max_s = 0;   // over the checked ranks, on rank 0
  double error_median_s = 0;
  double spent_s = 0;
};

/// HCA3-like tree over node leaders; nothing is estimated within a node whose ranks read the same clock.
/// Collective over the group; O(log P) rounds. Source: docs/methodology.md, "Synchronised clocks".
[[nodiscard]] ClockAgreement synchronise_clocks(const mpi::Communicator& group, Timer& timer);

/// One exchange between client and reference: client's clock before and after, reference's in between.
struct Exchange {
  double before_s = 0, reference_s = 0, after_s = 0;
};
/// Fit of one pair from the best exchanges of each fit point (Theil-Sen slope, median offset). Pure.
[[nodiscard]] ClockModel fit_clock(std::span<const Exchange> best);

}  // namespace steelyard::measure
