// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "measure/ledger.hpp"

namespace steelyard::measure {
namespace {

constexpr double corrected_below = 100;  // times the back-to-back interval of the clock

std::string_view text(StopReason why) {
  switch (why) {
    case StopReason::count:
      return "count";
    case StopReason::ci:
      return "ci";
    case StopReason::time:
      return "time";
    case StopReason::size:
      return "size";
    case StopReason::budget:
      return "budget";
    case StopReason::interrupted:
      break;
  }
  return "interrupted";
}

std::string_view text(Timing timing) {
  switch (timing) {
    case Timing::whole:
      return "whole";
    case Timing::batch:
      return "batch";
    case Timing::each:
      break;
  }
  return "each";
}

std::string_view text(Sync sync) {
  switch (sync) {
    case Sync::none:
      return "none";
    case Sync::barrier:
      return "barrier";
    case Sync::barrier2:
      return "barrier2";
    case Sync::dissemination:
      return "dissemination";
    case Sync::window:
      break;
  }
  return "window";
}

std::string_view text(OverRanks over_ranks, Sync sync) {
  if (over_ranks == OverRanks::one) return "one";
  return sync == Sync::window ? "global" : "max";
}

BatchesKept kept(SamplesKept samples) {
  if (samples == SamplesKept::all) return BatchesKept::all;
  return samples == SamplesKept::none ? BatchesKept::none : BatchesKept::thinned;
}

RankSpread divided(RankSpread spread, double divisor) {
  spread.min_s /= divisor;
  spread.max_s /= divisor;
  spread.mean_s /= divisor;
  return spread;
}

// Each reading of mode `each` contains the interval between two readings of the clock.
std::vector<VisitSamples> corrected(std::vector<VisitSamples> visits, double interval_s, double least_s) {
  for (VisitSamples& visit : visits)
    for (double& batch : visit.batches) batch = std::max(batch - interval_s, least_s);
  return visits;
}

record::Reason reason(record::ReasonCode code, std::string words) {
  record::Reason result;
  result.code = code;
  result.text = std::move(words);
  return result;
}

}  // namespace

// Whether the clock's own interval is taken off short operations.
bool Ledger::is_corrected(double median_s) const {
  return task_->traits.timing == Timing::each && median_s < corrected_below * options_->back_to_back_s;
}

// Relative intervals are those of the value that is reported: what is taken off makes them wider.
double Ledger::widening() const {
  const double median_s = op_s();
  if (!is_corrected(median_s)) return 1;
  return median_s / std::max(median_s - options_->back_to_back_s, options_->clock.step_s / 2);
}

Summary Ledger::summary(Outcome& outcome) const {
  SummaryRule rule;
  rule.half_grid_s = options_->clock.step_s / (2 * static_cast<double>(ops_per_batch_));
  rule.divisor = task_->traits.time_divisor;
  rule.kept = kept(options_->samples);
  Summary raw = summarise(visits_, rule);
  const double interval_s = options_->back_to_back_s;
  if (!is_corrected(raw.median_op_s)) return raw;
  outcome.uncorrected_median_s = raw.statistics.median;
  outcome.flags.emplace_back("clock_corrected");
  return summarise(corrected(visits_, interval_s, options_->clock.step_s / 2), rule);
}

record::Schedule Ledger::schedule(StopReason why, Sync sync) const {
  const double per_read = task_->traits.timing == Timing::each ? 1 : static_cast<double>(ops_per_batch_);
  record::Schedule schedule;
  schedule.rule = task_->schedule->rule();
  schedule.stop = text(why);
  schedule.warmup_ops = static_cast<std::int64_t>(warmup_ops_);
  schedule.ops = static_cast<std::int64_t>(ops_);
  schedule.batches = static_cast<std::int64_t>(batches_);
  schedule.ops_per_batch = static_cast<std::int64_t>(ops_per_batch_);
  schedule.elapsed_s = timed_s_;
  schedule.overhead_s = overhead_s_;
  schedule.pilot_s = pilot_s_;
  if (op_s() > 0) schedule.clock_share = options_->clock.cost_s / (per_read * op_s());
  schedule.visits = schedule.rounds = static_cast<int>(visits_.size());
  schedule.placements = std::min(task_->placements, std::max(1, static_cast<int>(visits_.size())));
  schedule.sync = text(sync);
  schedule.timing = text(task_->traits.timing);
  return schedule;
}

std::vector<std::string> Ledger::own_flags() const {
  std::vector<std::string> flags;
  if (often_late_) flags.emplace_back("late");
  if (faults_ > 0) flags.emplace_back("page_faults");
  if (task_->schedule->interleaved() && task_->placements == 1) flags.emplace_back("one_placement");
  return flags;
}

void Ledger::set_status(Outcome& outcome, StopReason why) const {
  const bool few = pass_.visits < options_->min_visits && task_->schedule->interleaved();
  if (why == StopReason::interrupted) {
    outcome.status = record::Status::partial;
    outcome.reason = reason(record::ReasonCode::interrupted, "stopped before the rule was satisfied");
  } else if (why == StopReason::budget && few) {
    outcome.status = record::Status::partial;
    outcome.reason = reason(record::ReasonCode::time, "point budget");
  }
}

Outcome Ledger::unmeasured(StopReason why, Sync sync) const {
  Outcome outcome;
  outcome.status = record::Status::skipped;
  outcome.reason = reason(record::ReasonCode::time, "its rule left no time for it");
  outcome.schedule = schedule(why, sync);
  outcome.overhead_s = overhead_s_;
  return outcome;
}

Outcome Ledger::outcome(StopReason why, Sync sync) const {
  if (batches_ == 0) return unmeasured(why, sync);
  Outcome outcome;
  Summary found = summary(outcome);
  outcome.time = std::move(found.statistics);
  outcome.time.over_ranks = text(task_->traits.over_ranks, sync);
  outcome.states = std::move(found.states);
  outcome.disturbed_share = found.disturbed_share;
  outcome.preempted_s = waited_s_;
  if (sync == Sync::window && ops_ > 0) outcome.late_share = late_ / static_cast<double>(ops_);
  outcome.flags.insert(outcome.flags.begin(), found.flags.begin(), found.flags.end());
  for (auto& flag : own_flags()) outcome.flags.push_back(std::move(flag));
  const ClassicValues classic = median_of(classic_);
  outcome.classic = divided(classic.all, task_->traits.time_divisor);
  for (const RankSpread& g : classic.by_group)
    outcome.by_group.push_back(divided(g, task_->traits.time_divisor));
  if (!task_->schedule->interleaved()) outcome.passes = passes_;
  outcome.schedule = schedule(why, sync);
  outcome.timed_s = timed_s_;
  outcome.warmup_s = warmup_s_;
  outcome.overhead_s = overhead_s_;
  set_status(outcome, why);
  return outcome;
}

}  // namespace steelyard::measure
