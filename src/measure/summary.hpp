// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/records.hpp"
#include "stats/states.hpp"

/// From the batches of a point's visits to the statistics of its record. Pure. Source: docs/methodology.md,
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
  /// Statistics of the dominant state, divided; over_ranks is left to the caller. Empty if there are no batches.
  record::Statistics statistics;
  std::vector<record::State> states;      // dominant first; empty where no visit was probed
  std::optional<double> disturbed_share;  // over all states
  /// Any of: noisy autocorrelated few_visits mixed_states preempted single_state_short.
  std::vector<std::string> flags;

  double median_op_s = 0;  // of the dominant state, not divided
};

/// Separates the visits by machine state and summarises the dominant one. Visits without batches are left out.
[[nodiscard]] Summary summarise(std::span<const VisitSamples> visits, const SummaryRule& rule = {});

/// Figures of ranks about one visit besides its times. Merged by maximum, in the same message as the times.
struct Extremes {
  static constexpr double absent = -1;  // below every time; never leaves the message

  double failed = 0;  // ranks from this one to the last: the largest belongs to the lowest failed rank
  double c2c_s = absent;
  double chain_s = absent;
  double wide_s = absent;
  double waited_s = 0;
  double switches = 0;
  double faults = 0;
  double migrated = 0;
  double late = 0;

  void set(const stats::Probe& probe);
  [[nodiscard]] stats::Probe probe() const;
  [[nodiscard]] bool probed() const { return chain_s > 0 || wide_s > 0 || c2c_s > 0; }

  /// Adds another message of the same visit: sums of counts and times, worst of the rest.
  void add(const Extremes& other);

  /// Marks this rank as failed.
  void set_failed(int rank, int ranks) { failed = ranks - rank; }
  /// Lowest failed rank of `ranks`; nullopt if none failed.
  [[nodiscard]] std::optional<int> failed_rank(int ranks) const;
};

// The few figures that a schedule asks for while a point is measured; cheaper than a summary. Pure.

/// For each visit, true if it belongs to the state with most visits.
[[nodiscard]] std::vector<bool> in_dominant_state(std::span<const VisitSamples> visits);

/// Relative half-width of the interval of the median over the chosen visits; `medians` are those of the visits.
[[nodiscard]] std::optional<double> half_width_of(std::span<const VisitSamples> visits,
                                                  std::span<const double> medians,
                                                  const std::vector<bool>& chosen, double half_grid_s);

}  // namespace steelyard::measure
