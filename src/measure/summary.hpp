// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/records.hpp"
#include "stats/states.hpp"

/// From the batches of a point's visits to what its record says. Pure. Source: docs/methodology.md,
/// "Statistics" and "Machine states".
namespace steelyard::measure {

/// One visit: seconds per operation of its batches, merged over ranks, in order of time.
struct VisitSamples {
  std::vector<double> batches;
  stats::Probe probe;
  bool preempted = false;  // some rank waited for a processor for more than 1 % of the visit
};

enum class BatchesKept { none, thinned, all };

struct SummaryRule {
  double half_grid_s = 0;  // g / (2 k): values lie on a grid, no interval is narrower than it on either side
  double divisor = 1;      // reported time = measured / divisor (PingPong: 2)
  BatchesKept kept = BatchesKept::thinned;  // thinned: at most 32, evenly spread over time
};

struct Summary {
  /// Of the dominant state, divided; over_ranks is left to the caller. Empty if there are no batches.
  record::Statistics statistics;
  std::vector<record::State> states;      // dominant first; empty where no visit was probed
  std::optional<double> disturbed_share;  // over all states
  /// Of: noisy autocorrelated few_visits mixed_states preempted single_state_short.
  std::vector<std::string> flags;

  double median_op_s = 0;  // of the dominant state, not divided
};

/// Separates the visits by machine state and summarises the dominant one. Visits without batches are left
/// out.
[[nodiscard]] Summary summarise(std::span<const VisitSamples> visits, const SummaryRule& rule = {});

}  // namespace steelyard::measure
