// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "measure/ledger.hpp"

/// Plays the engine's part at one point: asks a schedule, lets scripted operations pass, and keeps the ledger. No
/// clock, no MPI.
namespace steelyard::measure {

/// The usual rule with this budget.
inline AdaptiveRule rule_of(double budget_s, double half_width = 0.02) {
  AdaptiveRule rule;
  rule.point_budget = Seconds{budget_s};
  rule.half_width = half_width;
  return rule;
}

/// What the point is made of.
struct Script {
  std::function<double()> operation;  // one operation: its seconds
  std::function<stats::Probe()> probe = [] { return stats::Probe{}; };
  std::function<void()> others = [] {};  // the block's other points, before every visit
  std::function<bool()> preempted = [] { return false; };
  ClockFigures clock = {};
};

struct Played {
  Outcome outcome;
  int visits = 0;  // with a trial that counts
  std::vector<Visit> asked;
  std::vector<TrialResult> trials;
  Stop stop;
  double spent_s = 0;
  double longest_batch_s = 0;
  std::uint64_t ops = 0;
};

class Player {
 public:
  Player(const Schedule& schedule, Script script) : script_(std::move(script)) {
    task_.schedule = &schedule;
    options_.clock = script_.clock;
  }

  Played play() {
    for (;;) {
      const Decision decision = task_.schedule->next(ledger_.history());
      if (const auto* stop = std::get_if<Stop>(&decision)) return finish(*stop);
      if (const auto* trial = std::get_if<Trial>(&decision)) run(*trial);
      if (const auto* visit = std::get_if<Visit>(&decision)) run(*visit);
    }
  }

 private:
  double operations(std::uint64_t count) {
    double seconds = 0;
    for (std::uint64_t i = 0; i < count; ++i) seconds += script_.operation();
    return seconds;
  }

  void run(const Trial& trial) {
    VisitEntry costs;
    if (ledger_.untouched()) costs.warmup_s = operations(2);
    const double seconds = costs.timed_s = operations(trial.ops);
    played_.trials.push_back({trial.ops, seconds});
    ledger_.add_trial({trial.ops, seconds}, costs);
    if (!trial.counts_above_s || seconds <= *trial.counts_above_s) return;
    ledger_.count_trial();
    note_batch(seconds, trial.ops);
    ++played_.visits;
  }

  void run(const Visit& visit) {
    script_.others();
    played_.asked.push_back(visit);
    VisitEntry entry;
    entry.extremes.set(script_.probe());
    entry.warmup_s = operations(visit.warmup);
    for (std::uint64_t b = 0; b < visit.batches; ++b) {
      const double seconds = operations(visit.ops_per_batch);
      entry.batches_s.push_back(seconds / static_cast<double>(visit.ops_per_batch));
      entry.timed_s += seconds;
      note_batch(seconds, visit.ops_per_batch);
    }
    if (script_.preempted()) entry.extremes.waited_s = entry.timed_s;
    played_.spent_s += entry.warmup_s;
    ++played_.visits;
    Step step;
    step.warmup = visit.warmup;
    step.ops = visit.ops_per_batch;
    step.batches = visit.batches;
    ledger_.add_visit(step, std::move(entry));
  }

  void note_batch(double seconds, std::uint64_t ops) {
    played_.longest_batch_s = std::max(played_.longest_batch_s, seconds);
    played_.spent_s += seconds;
    played_.ops += ops;
  }

  Played finish(Stop stop) {
    played_.stop = stop;
    played_.outcome = ledger_.outcome(stop.why, Sync::none);
    return std::move(played_);
  }

  Script script_;
  Task task_;
  EngineOptions options_;
  Ledger ledger_{task_, options_};
  Played played_;
};

}  // namespace steelyard::measure
