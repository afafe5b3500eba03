// SPDX-License-Identifier: Apache-2.0
#include "measure/ledger.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double preempted_share = 0.01;
constexpr double often_late_share = 0.2;
constexpr double settled_ratio = 1.1;
constexpr std::size_t settling_group = 5;
constexpr double longest_settling_s = 0.1;  // points that are measured twice must not be long

constexpr double corrected_below = 100;  // times the back-to-back interval of the clock

std::string_view text(StopReason why) {
  switch (why) {
    case StopReason::count: return "count";
    case StopReason::ci: return "ci";
    case StopReason::time: return "time";
    case StopReason::size: return "size";
    case StopReason::budget: return "budget";
    case StopReason::interrupted: break;
  }
  return "interrupted";
}

std::string_view text(Timing timing) {
  switch (timing) {
    case Timing::whole: return "whole";
    case Timing::batch: return "batch";
    case Timing::each: break;
  }
  return "each";
}

std::string_view text(Sync sync) {
  switch (sync) {
    case Sync::none: return "none";
    case Sync::barrier: return "barrier";
    case Sync::barrier2: return "barrier2";
    case Sync::dissemination: return "dissemination";
    case Sync::window: break;
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

double median_member(const std::vector<RankSpread>& passes, double RankSpread::*member) {
  std::vector<double> values;
  for (const RankSpread& pass : passes) values.push_back(pass.*member);
  return stats::median(std::move(values));
}

RankSpread median_spread(const std::vector<RankSpread>& passes) {
  RankSpread result = *std::ranges::max_element(passes, {}, &RankSpread::max_s);
  result.min_s = median_member(passes, &RankSpread::min_s);
  result.max_s = median_member(passes, &RankSpread::max_s);
  result.mean_s = median_member(passes, &RankSpread::mean_s);
  return result;
}

/// Median over passes, member by member; the slowest rank is that of the pass with the largest maximum.
ClassicValues median_of(const std::vector<ClassicValues>& passes) {
  if (passes.empty()) return {};
  ClassicValues result;
  std::vector<RankSpread> values;
  for (const ClassicValues& pass : passes) values.push_back(pass.all);
  result.all = median_spread(values);
  for (std::size_t g = 0; g < passes.front().by_group.size(); ++g) {
    values.clear();
    for (const ClassicValues& pass : passes) values.push_back(pass.by_group[g]);
    result.by_group.push_back(median_spread(values));
  }
  return result;
}

}  // namespace

void Ledger::start_pass() {
  trials_.clear();
  pass_ = {};
  ++pass_number_;
}

void Ledger::book(const VisitEntry& entry) {
  warmup_s_ += entry.warmup_s;
  pass_.spent_s += entry.warmup_s;
}

void Ledger::add_trial(const TrialResult& trial, const VisitEntry& costs) {
  book(costs);
  pilot_s_ += costs.timed_s;
  last_trial_s_ = costs.timed_s;
  trials_.push_back(trial);
}

void Ledger::count_trial() {
  const TrialResult& trial = trials_.back();
  Step step;
  step.ops = trial.ops;
  step.batches = 1;
  pilot_s_ -= last_trial_s_;
  VisitEntry entry;
  entry.batches_s = {trial.seconds / static_cast<double>(trial.ops)};
  entry.timed_s = last_trial_s_;
  add_visit(step, std::move(entry));
}

void Ledger::add_visit(const Step& step, VisitEntry entry) {
  const double ops = static_cast<double>(step.ops * step.batches);
  const Extremes& extremes = entry.extremes;
  book(entry);
  if (extremes.probed()) last_probe_ = extremes.probe();
  timed_s_ += entry.timed_s;
  pass_.spent_s += entry.timed_s;
  waited_s_ += extremes.waited_s;
  faults_ += extremes.faults;
  late_ += extremes.late;
  last_late_share_ = extremes.late / ops;
  often_late_ = often_late_ || last_late_share_ > often_late_share;
  warmup_ops_ += step.warmup;
  last_ops_per_batch_ = step.ops;
  batches_of_ops_[step.ops] += entry.batches_s.size();
  ops_ += step.ops * step.batches;
  batches_ += entry.batches_s.size();
  pass_.ops += step.ops * step.batches;
  pass_.batches += entry.batches_s.size();
  ++pass_.visits;
  visit_medians_.push_back(stats::median(entry.batches_s));
  last_op_s_ = std::reduce(entry.batches_s.begin(), entry.batches_s.end()) /
               static_cast<double>(entry.batches_s.size());
  visits_.push_back({std::move(entry.batches_s), last_probe_.value_or(stats::Probe{}),
                     extremes.waited_s > preempted_share * entry.timed_s && extremes.waited_s > 0});
  look();
}

void Ledger::add_classic(ClassicValues values) {
  passes_.push_back({pass_number_, pass_.ops, values.all, values.hosts});
  classic_.push_back(std::move(values));
}

void Ledger::forget_visit() {
  const std::uint64_t batches = visits_.back().batches.size();
  warmup_s_ += timed_s_;
  warmup_ops_ += ops_;
  ops_ -= batches * last_ops_per_batch_;
  batches_of_ops_[last_ops_per_batch_] -= batches;
  timed_s_ = waited_s_ = faults_ = late_ = 0;
  batches_ -= batches;
  pass_ = {.spent_s = pass_.spent_s};
  visits_.pop_back();
  visit_medians_.pop_back();
  forgot_ = true;
}

bool Ledger::first_visit_unsettled() const {
  if (forgot_ || visits_.size() != 1 || timed_s_ > longest_settling_s) return false;
  if (visits_.front().batches.size() < 2 * settling_group) return false;
  const std::span<const double> all = visits_.front().batches;
  const auto first = all.first(settling_group);
  const auto last = all.last(settling_group);
  return stats::median({first.begin(), first.end()}) >
         settled_ratio * stats::median({last.begin(), last.end()});
}

// True at visits at which schedules may ask for the interval; sorting at every visit would cost too much.
bool Ledger::worth_a_look() const {
  const int visits = static_cast<int>(visits_.size());
  const bool mixed = dominant_visits_ < visits;
  return is_look(visits) || visits == options_->min_visits || (mixed && visits % 4 == 0);
}

// The last batches may be the rest of a number that was asked for: most batches tell how fine the times are.
std::uint64_t Ledger::usual_ops_per_batch() const {
  std::uint64_t usual = 1, most = 0;
  for (const auto& [ops, batches] : batches_of_ops_) {
    if (batches == 0 || batches < most) continue;
    usual = ops;
    most = batches;
  }
  return usual;
}

void Ledger::look() {
  if (!task_->schedule->interleaved()) return;
  const std::vector<bool> dominant = in_dominant_state(visits_);
  dominant_visits_ = static_cast<int>(std::ranges::count(dominant, true));
  if (!worth_a_look()) return;
  const double half_grid_s = options_->clock.step_s / (2 * static_cast<double>(usual_ops_per_batch()));
  half_width_ = half_width_of(visits_, visit_medians_, dominant, half_grid_s);
  if (half_width_) *half_width_ *= widening();
}

double Ledger::op_s() const {
  if (!visit_medians_.empty()) return stats::median(visit_medians_);
  if (trials_.empty()) return 0;
  return trials_.back().seconds / static_cast<double>(trials_.back().ops);
}

History Ledger::history() const {
  History history;
  history.trials = trials_;
  history.visits = pass_.visits;
  history.batches = pass_.batches;
  history.ops = pass_.ops;
  history.spent_s = pass_.spent_s;
  history.half_width = half_width_;
  history.dominant_visits = dominant_visits_;
  history.median_op_s = visit_medians_.empty() ? 0 : op_s();
  history.last_op_s = last_op_s_;
  history.between_s = between_s_;
  const auto preempted = std::ranges::count_if(visits_, &VisitSamples::preempted);
  history.mostly_preempted = 2 * static_cast<std::size_t>(preempted) > visits_.size();
  return history;
}

// True if the clock's own interval is subtracted from short operations.
bool Ledger::is_corrected(double median_s) const {
  return task_->traits.timing == Timing::each && median_s < corrected_below * options_->back_to_back_s;
}

// Factor on relative intervals, which are those of the value that is reported: the subtraction makes them wider.
double Ledger::widening() const {
  const double median_s = op_s();
  if (!is_corrected(median_s)) return 1;
  return median_s / std::max(median_s - options_->back_to_back_s, options_->clock.step_s / 2);
}

Summary Ledger::summary(Outcome& outcome) const {
  SummaryRule rule;
  rule.half_grid_s = options_->clock.step_s / (2 * static_cast<double>(usual_ops_per_batch()));
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
  const double per_read =
      task_->traits.timing == Timing::each ? 1 : static_cast<double>(usual_ops_per_batch());
  record::Schedule schedule;
  schedule.rule = task_->schedule->rule();
  schedule.stop = text(why);
  schedule.warmup_ops = static_cast<std::int64_t>(warmup_ops_);
  schedule.ops = static_cast<std::int64_t>(ops_);
  schedule.batches = static_cast<std::int64_t>(batches_);
  schedule.ops_per_batch = static_cast<std::int64_t>(usual_ops_per_batch());
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
