// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "measure/convergence.hpp"
#include "measure/schedule.hpp"
#include "measure/summary.hpp"
#include "stats/order.hpp"

/// Plays the engine for one point: asks a schedule, lets scripted operations pass, summarises. No clock, no
/// MPI.
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
  Summary summary;
  std::vector<VisitSamples> visits;
  std::vector<Visit> asked;
  std::vector<TrialResult> trials;
  Stop stop;
  double spent_s = 0;
  double timed_s = 0;
  double longest_batch_s = 0;
  std::uint64_t ops = 0;
};

class Player {
 public:
  Player(const Schedule& schedule, Script script) : schedule_(schedule), script_(std::move(script)) {}

  Played play() {
    for (;;) {
      const Decision decision = schedule_.next(history());
      if (const auto* stop = std::get_if<Stop>(&decision)) return finish(*stop);
      if (const auto* trial = std::get_if<Trial>(&decision)) run(*trial);
      if (const auto* visit = std::get_if<Visit>(&decision)) run(*visit);
    }
  }

 private:
  History history() {
    History h;
    h.trials = played_.trials;
    h.visits = static_cast<int>(played_.visits.size());
    h.batches = batches_;
    h.ops = played_.ops;
    h.spent_s = played_.spent_s;
    if (h.visits == 0) return h;
    if (is_look(h.visits) || h.visits <= 12) look();
    h.half_width = half_width_;
    h.dominant_visits = dominant_visits_;
    h.median_op_s = median_op_s_;
    const auto preempted = std::ranges::count_if(played_.visits, &VisitSamples::preempted);
    h.mostly_preempted = 2 * preempted > h.visits;
    return h;
  }

  void look() {
    std::vector<double> medians;
    for (const VisitSamples& visit : played_.visits) medians.push_back(stats::median(visit.batches));
    const auto dominant = in_dominant_state(played_.visits);
    dominant_visits_ = static_cast<int>(std::ranges::count(dominant, true));
    half_width_ = half_width_of(played_.visits, medians, dominant, grid().half_grid_s);
    median_op_s_ = stats::median(std::move(medians));
  }

  [[nodiscard]] SummaryRule grid() const {
    const auto k = played_.asked.empty() ? 1 : played_.asked.front().ops_per_batch;
    return {script_.clock.step_s / (2 * static_cast<double>(k)), 1, BatchesKept::none};
  }

  double operations(std::uint64_t count) {
    double seconds = 0;
    for (std::uint64_t i = 0; i < count; ++i) seconds += script_.operation();
    return seconds;
  }

  void run(const Trial& trial) {
    if (played_.trials.empty()) operations(2);
    const double seconds = operations(trial.ops);
    played_.trials.push_back({trial.ops, seconds});
    if (trial.counts_above_s && seconds > *trial.counts_above_s) {
      open_visit();
      add_batch(seconds, trial.ops);
    }
  }

  void run(const Visit& visit) {
    script_.others();
    open_visit();
    played_.asked.push_back(visit);
    played_.spent_s += operations(visit.warmup);
    for (std::uint64_t b = 0; b < visit.batches; ++b) {
      add_batch(operations(visit.ops_per_batch), visit.ops_per_batch);
    }
    played_.visits.back().preempted = script_.preempted();
  }

  void open_visit() {
    played_.visits.emplace_back();
    played_.visits.back().probe = script_.probe();
  }

  void add_batch(double seconds, std::uint64_t ops) {
    played_.visits.back().batches.push_back(seconds / static_cast<double>(ops));
    played_.longest_batch_s = std::max(played_.longest_batch_s, seconds);
    played_.spent_s += seconds;
    played_.timed_s += seconds;
    played_.ops += ops;
    ++batches_;
  }

  Played finish(Stop stop) {
    played_.stop = stop;
    played_.summary = summarise(played_.visits, grid());
    return std::move(played_);
  }

  const Schedule& schedule_;
  Script script_;
  Played played_;
  std::uint64_t batches_ = 0;
  std::optional<double> half_width_;
  int dominant_visits_ = 0;
  double median_op_s_ = 0;
};

}  // namespace steelyard::measure
