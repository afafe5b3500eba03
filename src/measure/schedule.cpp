// SPDX-License-Identifier: Apache-2.0
#include "measure/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "record/clipped.hpp"
#include "stats/splitmix.hpp"

namespace steelyard::measure {
namespace {

constexpr double clock_share = 0.01;
constexpr double grid_share = 0.2;
constexpr std::uint64_t most_values = 4096;

constexpr double trial_in_clock_figures = 100;
constexpr double shortest_trial_s = 20e-6;
constexpr std::uint64_t most_trial_ops = 65536;
constexpr double beyond_interruptions_s = 1;

constexpr std::array looks{6, 8, 11, 16, 22, 32, 45, 64};

/// Smallest whole number not below x, where rounding errors of x do not make it one more.
std::uint64_t round_up(double x) {
  return record::clipped<std::uint64_t>(std::ceil(x * (1 - 1e-12)));
}

double coarser(const ClockFigures& clock) {
  return std::max(clock.cost_s, clock.step_s);
}

class FixedSchedule final : public Schedule {
 public:
  FixedSchedule(std::uint64_t ops, std::uint64_t warmup) : ops_(ops), warmup_(warmup) {}

  Decision next(const History& history) const override {
    if (history.stop_requested) return Stop{StopReason::interrupted};
    if (history.ops >= ops_) return Stop{StopReason::count};
    if (history.ops == 0) return Visit{warmup_, batch(), ops_ / batch()};
    return Visit{0, ops_ - history.ops, 1};
  }
  std::string_view rule() const override { return "fixed"; }

 private:
  static constexpr std::uint64_t most_batches = 64, enough_batches = 32;

  /// The smallest size that divides into at most 64 batches if that leaves at least 32 of them.
  [[nodiscard]] std::uint64_t batch() const {
    for (std::uint64_t batches = most_batches; batches >= enough_batches; --batches) {
      if (ops_ % batches == 0) return ops_ / batches;
    }
    return (ops_ + most_batches - 1) / most_batches;
  }

  std::uint64_t ops_, warmup_;
};

constexpr std::uint64_t warmup_long = 2;
constexpr std::int64_t warmup_long_from_byte = 32 * 1024;
constexpr double warmup_long_from_s = 100e-6;
constexpr double warmup_share = 0.05;
constexpr double shortest_visit_s = 0.2e-3;
/// Factor by which visits planned into the rest of a budget are taken to last longer than before.
constexpr double reserve = 1.05;
constexpr double wrong_trial = 2;

/// Operations that fit into a time.
double fitting(double seconds, double op_s) {
  return std::max(0.0, seconds / op_s * (1 + 1e-12));
}

std::uint64_t whole(double x) {
  return record::clipped<std::uint64_t>(x);
}

/// Batches of k operations that fit after the warm-up.
std::uint64_t batches_in(double ops, const Visit& visit) {
  return whole((ops - static_cast<double>(visit.warmup)) / static_cast<double>(visit.ops_per_batch));
}

/// Time of an operation, alone and together with the synchronisation before it.
struct Pace {
  double op_s;
  double each_s;
};

class AdaptiveSchedule final : public Schedule {
 public:
  explicit AdaptiveSchedule(const AdaptiveRule& rule) : rule_(rule) {}

  Decision next(const History& history) const override {
    if (history.stop_requested) return Stop{StopReason::interrupted};
    if (const auto trial = next_trial(history.trials, rule_.clock)) return *trial;
    const double op_s = typical_op(history);
    const Pace pace{op_s, op_s + history.between_s};
    const Visit planned = plan(pace);
    if (const auto why = done(history)) return Stop{*why};
    if (const auto visit = within_budget(planned, pace.each_s, history)) return *visit;
    return Stop{rule_.run_for ? StopReason::time : StopReason::budget};
  }
  std::string_view rule() const override { return rule_.run_for ? "time_driven" : "adaptive"; }
  bool interleaved() const override { return true; }

 private:
  [[nodiscard]] double budget_s() const { return rule_.run_for.value_or(rule_.point_budget).value(); }

  static double trial_op(const History& history) {
    const TrialResult& last = history.trials.back();
    return std::max(last.seconds / static_cast<double>(last.ops), least_op_s);
  }

  /// A trial that was interrupted, or made in another state of the machine, gives way to what visits showed.
  static double typical_op(const History& history) {
    const double tried_s = trial_op(history);
    if (!(history.median_op_s > 0)) return tried_s;
    const double ratio = history.median_op_s / tried_s;
    return ratio > wrong_trial || ratio < 1 / wrong_trial ? history.median_op_s : tried_s;
  }

  /// Batches of the whole point stay within max_batches as far as the longest batch allows: the values of all
  /// visits are kept until the point ends.
  [[nodiscard]] std::uint64_t batch_ops(const Pace& pace) const {
    const double scale = 4096.0 / static_cast<double>(rule_.max_batches);
    const auto k =
        ops_per_batch(pace.op_s, rule_.half_width, rule_.clock, whole(scale * budget_s() / pace.each_s));
    return std::clamp<std::uint64_t>(whole(fitting(longest_batch_s, pace.each_s)), 1, k);
  }

  [[nodiscard]] std::uint64_t warmup(double op_s, double timed_ops) const {
    if (rule_.message_byte >= warmup_long_from_byte || op_s > warmup_long_from_s) return warmup_long;
    return std::max(warmup_long, whole(std::ceil(warmup_share * timed_ops)));
  }

  /// Visit that is repeated while there is time for it; at most a share 1 / min_visits of the budget.
  [[nodiscard]] Visit plan(const Pace& pace) const {
    const double share_s = budget_s() / rule_.min_visits;
    const double wanted_s = std::min(std::max(budget_s() / rule_.max_visits, shortest_visit_s), share_s);
    Visit visit;
    visit.ops_per_batch = batch_ops(pace);
    const double batch_s = pace.each_s * static_cast<double>(visit.ops_per_batch);
    const std::uint64_t wanted = whole(std::ceil(wanted_s / batch_s * (1 - 1e-12)));
    visit.batches = std::max(rule_.batches_per_visit, wanted);
    visit.warmup = warmup(pace.op_s, static_cast<double>(visit.batches * visit.ops_per_batch));
    const std::uint64_t room = batches_in(fitting(share_s, pace.each_s), visit);
    visit.batches = std::clamp(room, rule_.batches_per_visit, visit.batches);
    return visit;
  }

  /// Seconds per operation including the time before it, as far as known; disturbances of earlier visits
  /// may come again.
  static double expected_op(double op_s, const Visit& planned, const History& history) {
    if (history.ops == 0) return op_s;
    const double run = static_cast<double>(history.ops) +
                       static_cast<double>(history.visits) * static_cast<double>(planned.warmup);
    return reserve * std::max(history.median_op_s + history.between_s, history.spent_s / run);
  }

  /// Planned visit, cut to the rest of the budget; nullopt if too little is left. The first visit is made
  /// whatever it takes; the first min_visits share the rest evenly.
  [[nodiscard]] std::optional<Visit> within_budget(Visit visit, double op_s, const History& history) const {
    const double left_s = budget_s() - history.spent_s;
    const double expected_s = expected_op(op_s, visit, history);
    const std::uint64_t room = batches_in(fitting(left_s, expected_s), visit);
    if (history.visits == 0 && room < rule_.batches_per_visit) return squeezed(visit, left_s, op_s);
    if (history.visits >= rule_.min_visits || !planned_for_all(visit, op_s)) {
      if (room < rule_.batches_per_visit)
        return completing_the_first(visit, fitting(left_s, expected_s), history);
      visit.batches = std::min(visit.batches, room);
      return visit;
    }
    if (room == 0) return {};
    const double share_s = left_s / (rule_.min_visits - history.visits);
    const std::uint64_t share = batches_in(fitting(share_s, expected_s), visit);
    visit.batches = std::clamp<std::uint64_t>(share, 1, visit.batches);
    return visit;
  }

  /// True if min_visits of at least batches_per_visit fit into the budget.
  [[nodiscard]] bool planned_for_all(const Visit& visit, double op_s) const {
    return batches_in(fitting(budget_s() / rule_.min_visits, op_s), visit) >= rule_.batches_per_visit;
  }

  /// Only visit of a point whose operations are long: as many as fit, at least one operation.
  static Visit squeezed(Visit visit, double left_s, double op_s) {
    const std::uint64_t ops = std::max<std::uint64_t>(1, whole(fitting(left_s, op_s)));
    visit.ops_per_batch = std::min(visit.ops_per_batch, ops);
    visit.warmup = std::min(visit.warmup, ops - visit.ops_per_batch);
    visit.batches = std::max<std::uint64_t>(1, batches_in(static_cast<double>(ops), visit));
    return visit;
  }

  /// Batches that a point with a long operation, timed in a trial, lacks for a visit, as far as that many operations
  /// hold them; without a warm-up, which would take the time of most of them.
  [[nodiscard]] std::optional<Visit> completing_the_first(Visit visit, double ops,
                                                          const History& history) const {
    if (history.batches >= rule_.batches_per_visit) return {};
    visit.warmup = 0;
    visit.batches = std::min(batches_in(ops, visit), rule_.batches_per_visit - history.batches);
    return visit.batches > 0 ? std::optional(visit) : std::nullopt;
  }

  [[nodiscard]] std::optional<StopReason> done(const History& history) const {
    if (rule_.run_for || history.visits < rule_.min_visits) return {};
    if (converged(history)) return StopReason::ci;
    if (history.batches >= rule_.max_batches && !short_of_state(history)) return StopReason::count;
    if (history.visits < rule_.max_visits || history.mostly_preempted || short_of_state(history)) return {};
    return StopReason::count;
  }

  /// True for several states, none with min_visits yet: up to min_visits further visits follow.
  [[nodiscard]] bool short_of_state(const History& history) const {
    const int longest =
        rule_.min_visits + (history.visits < rule_.max_visits ? rule_.min_visits : rule_.max_visits);
    return history.dominant_visits < rule_.min_visits && history.visits < longest;
  }

  [[nodiscard]] bool converged(const History& history) const {
    const bool extended = history.dominant_visits < rule_.min_visits && !short_of_state(history);
    const bool look = is_look(history.visits) || history.visits == rule_.min_visits || extended;
    return look && !short_of_state(history) && !history.mostly_preempted &&
           history.batches >= rule_.min_batches && history.half_width &&
           *history.half_width <= rule_.half_width;
  }

  AdaptiveRule rule_;
};

void check(const AdaptiveRule& rule) {
  const double budget_s = rule.run_for.value_or(rule.point_budget).value();
  const bool usable = rule.half_width > 0 && budget_s > 0 && rule.min_visits > 0 &&
                      rule.batches_per_visit > 0 && rule.max_visits >= rule.min_visits &&
                      rule.max_batches > 0;
  if (!usable) throw std::invalid_argument("an adaptive schedule needs a width, a budget and visits");
}

}  // namespace

std::unique_ptr<Schedule> fixed_schedule(std::uint64_t ops, std::uint64_t warmup) {
  if (ops == 0) throw std::invalid_argument("a fixed schedule needs at least one operation");
  return std::make_unique<FixedSchedule>(ops, warmup);
}

std::uint64_t ops_per_batch(double op_s, double half_width, const ClockFigures& clock,
                            std::uint64_t planned_ops) {
  const double t = std::max(op_s, least_op_s);
  const std::uint64_t by_clock = round_up(coarser(clock) / (clock_share * t));
  const std::uint64_t by_grid = round_up(clock.step_s / (grid_share * half_width * t));
  const std::uint64_t by_memory = planned_ops / most_values + (planned_ops % most_values > 0 ? 1 : 0);
  const auto longest = whole(longest_batch_s / t * (1 + 1e-12));
  return std::max<std::uint64_t>(1, std::min(std::max({by_clock, by_grid, by_memory}), longest));
}

std::optional<Trial> next_trial(std::span<const TrialResult> trials, const ClockFigures& clock) {
  if (trials.empty()) return Trial{1, beyond_interruptions_s};
  const TrialResult& last = trials.back();
  const bool interrupted_perhaps = last.seconds > longest_batch_s && last.seconds <= beyond_interruptions_s;
  if (trials.size() == 1 && interrupted_perhaps) return Trial{1, std::max(longest_batch_s, last.seconds / 2)};
  const double enough_s = std::max(trial_in_clock_figures * coarser(clock), shortest_trial_s);
  if (last.seconds >= enough_s || last.seconds > longest_batch_s || last.ops >= most_trial_ops) return {};
  return Trial{std::min(2 * last.ops, most_trial_ops), std::nullopt};
}

bool is_look(int round) {
  return std::ranges::find(looks, round) != looks.end();
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, std::uint64_t block,
                                  std::uint64_t round) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  using stats::splitmix;
  std::uint64_t state = splitmix(splitmix(splitmix(seed) ^ block) ^ round);
  for (std::size_t left = n; left > 1; --left) {
    state = splitmix(state);
    std::swap(order[left - 1], order[static_cast<std::size_t>(state % left)]);
  }
  return order;
}

std::unique_ptr<Schedule> adaptive_schedule(const AdaptiveRule& rule) {
  check(rule);
  return std::make_unique<AdaptiveSchedule>(rule);
}

}  // namespace steelyard::measure
