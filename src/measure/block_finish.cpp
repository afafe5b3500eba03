// SPDX-License-Identifier: Apache-2.0
// The end of a point: classic values, checking pass, outcome.
#include <algorithm>
#include <utility>

#include "measure/block.hpp"
#include "measure/verification.hpp"

namespace steelyard::measure {

void Block::finish(std::size_t point, StopReason why) {
  const Ticks start = context_.timer->now();
  if (runs_[point].ops > 0) merge_classic(point);
  Outcome extra;
  if (why != StopReason::interrupted && runs_[point].total_ops > 0) {
    check(point, extra);
  }
  if (closed_[point]) return;
  charge(point, start, 0, 0);
  std::optional<Outcome> outcome;
  if (worth_keeping(point, why)) {
    outcome = ledgers_[point].outcome(why, measurer_.effective(task(point).traits));
    outcome->check = std::move(extra.check);
    outcome->single_times_s = std::move(runs_[point].singles_s);
  }
  close(point, std::move(outcome));
  if (task(point).schedule->interleaved()) return;
  if (const auto clocks = measurer_.check_clocks_again()) note_clocks(point, *clocks);
}

// On rank 0, before the outcome is delivered.
void Block::note_clocks(std::size_t point, const ClocksOfWindow& clocks) {
  if (!root() || !outcomes_[point] || outcomes_[point]->schedule.sync != "window") return;
  record::Schedule& schedule = outcomes_[point]->schedule;
  schedule.clock_error_s = clocks.error_max_s;
  schedule.clock_error_median_s = clocks.error_median_s;
  schedule.clock_sync_s = clocks.spent_s;
}

// On rank 0: an interrupted point with too few batches says nothing. A point whose rule ended it before the
// first batch is told as skipped.
bool Block::worth_keeping(std::size_t point, StopReason why) const {
  if (!root()) return false;
  if (why != StopReason::interrupted) return true;
  const bool interleaved = task(point).schedule->interleaved();
  return ledgers_[point].batches() >= (interleaved ? context_.options->min_batches : 1);
}

void Block::check(std::size_t point, Outcome& outcome) {
  const std::uint64_t repetitions = task(point).verify_repetitions;
  if (repetitions == 0 || !opened(point)) return;
  Verification found = verify(*runs_[point].workload, repetitions, context_.team->active);
  if (found.failure) return fail(point, *found.failure);
  outcome.check = std::move(found.check);
}

}  // namespace steelyard::measure
