// SPDX-License-Identifier: Apache-2.0
#include "measure/ledger.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "measure/convergence.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double preempted_share = 0.01;
constexpr double often_late_share = 0.2;
constexpr double settled_ratio = 1.1;
constexpr std::size_t settling_group = 5;
constexpr double longest_settling_s = 0.1;  // what is measured twice must not be long

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

void Ledger::add_trial(std::uint64_t ops, double seconds, const VisitEntry& costs) {
  book(costs);
  pilot_s_ += costs.timed_s;
  last_trial_s_ = costs.timed_s;
  trials_.push_back({ops, seconds});
}

void Ledger::adopt_trial() {
  const TrialResult& trial = trials_.back();
  Order order;
  order.ops = trial.ops;
  order.batches = 1;
  pilot_s_ -= last_trial_s_;
  VisitEntry entry;
  entry.batches_s = {trial.seconds / static_cast<double>(trial.ops)};
  entry.timed_s = last_trial_s_;
  add_visit(order, std::move(entry));
}

void Ledger::add_visit(const Order& order, VisitEntry entry) {
  const double ops = static_cast<double>(order.ops * order.batches);
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
  warmup_ops_ += order.warmup;
  ops_per_batch_ = order.ops;
  ops_ += order.ops * order.batches;
  batches_ += entry.batches_s.size();
  pass_.ops += order.ops * order.batches;
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
  ops_ -= batches * ops_per_batch_;
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

// The visits at which schedules may ask for the interval; sorting at every visit would cost too much.
bool Ledger::worth_a_look() const {
  const int visits = static_cast<int>(visits_.size());
  const bool mixed = dominant_visits_ < visits;
  return is_look(visits) || visits == options_->min_visits || (mixed && visits % 4 == 0);
}

void Ledger::look() {
  if (!task_->schedule->interleaved()) return;
  const std::vector<bool> dominant = in_dominant_state(visits_);
  dominant_visits_ = static_cast<int>(std::ranges::count(dominant, true));
  if (!worth_a_look()) return;
  const double half_grid_s = options_->clock.step_s / (2 * static_cast<double>(ops_per_batch_));
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

}  // namespace steelyard::measure
