// SPDX-License-Identifier: Apache-2.0
// What the window mode needs of Measurer: clocks that agree, and the judgement whether they do.
#include <algorithm>

#include "measure/measurer.hpp"
#include "measure/synchronise.hpp"
#include "mpi/error.hpp"
#include "units/text.hpp"

namespace steelyard::measure {
namespace {

std::string nanoseconds(double seconds) {
  return units::format_significant(seconds * 1e9, 3) + " ns";
}

}  // namespace

Synchroniser& Measurer::synchroniser(PointRun& point, double shortest_op_s) {
  const Sync mode = point.task->traits.sync;
  auto& slot = synchronisers_[static_cast<std::size_t>(mode)];
  if (!slot && mode == Sync::window) slot = window(shortest_op_s > 0 ? shortest_op_s : try_operation(point));
  return known_synchroniser(mode);
}

Synchroniser& Measurer::known_synchroniser(Sync mode) {
  auto& slot = synchronisers_[static_cast<std::size_t>(mode)];
  if (!slot) slot = make_synchroniser(mode, team_->group, *timer_);
  return *slot;
}

// Schedules without trials leave the time of an operation unknown.
double Measurer::try_operation(PointRun& point) {
  std::vector<TrialResult> trials;
  while (const auto trial = next_trial(trials, options_->clock)) {
    std::array<Ticks, 2> stamps{};
    team_->group.barrier();
    note_error(point, timer_->contiguous(*point.workload, point.next_op, trial->ops, stamps));
    point.next_op += trial->ops;
    trials.push_back({trial->ops, team_->active.max(timer_->seconds(stamps[1] - stamps[0]))});
  }
  return trials.back().seconds / static_cast<double>(trials.back().ops);
}

// The window mode needs clocks that agree to 10 % of the shortest operation or to three steps of the clock.
std::unique_ptr<Synchroniser> Measurer::window(double shortest_op_s) {
  const ClockAgreement agreement = synchronise_clocks(team_->group, *timer_);
  clocks_ = {team_->active.max(agreement.error_max_s), team_->active.max(agreement.error_median_s),
             team_->active.max(agreement.spent_s)};
  clock_limit_s_ = std::max(0.1 * shortest_op_s, 3 * options_->clock.step_s);
  window_is_poor_ = clocks_.error_max_s > clock_limit_s_;
  if (!window_is_poor_) return std::make_unique<WindowSynchroniser>(team_->group, *timer_, agreement.model);
  notices_.push_back({"clock_sync_poor", "clocks agree to " + nanoseconds(clocks_.error_max_s) + ", " +
                                             nanoseconds(clock_limit_s_) +
                                             " are needed: dissemination barrier instead of windows"});
  return make_synchroniser(Sync::dissemination, team_->group, *timer_);
}

// Where the whole group is timed, its common clock tells from the first start to the last end.
WindowSynchroniser* Measurer::global_clock(const PointRun& point) {
  if (point.task->traits.over_ranks != OverRanks::max) return nullptr;
  auto& slot = synchronisers_[static_cast<std::size_t>(point.task->traits.sync)];
  return dynamic_cast<WindowSynchroniser*>(slot.get());
}

std::optional<ClocksOfWindow> Measurer::check_clocks_again() {
  auto& slot = synchronisers_[static_cast<std::size_t>(Sync::window)];
  const auto* window = dynamic_cast<const WindowSynchroniser*>(slot.get());
  if (window == nullptr) return std::nullopt;
  const Ticks start = timer_->now();
  const ClockErrors errors = check_clocks(team_->group, *timer_, window->model());
  const double now_s = team_->active.max(errors.max_s);
  clocks_.error_max_s = std::max(clocks_.error_max_s, now_s);
  clocks_.error_median_s = std::max(clocks_.error_median_s, team_->active.max(errors.median_s));
  clocks_.spent_s += team_->active.max(timer_->seconds(timer_->now() - start));
  if (now_s > clock_limit_s_)
    notices_.push_back({"clock_sync_poor", "at the end of the block the clocks agree only to " +
                                               nanoseconds(now_s) + ", " + nanoseconds(clock_limit_s_) +
                                               " are needed"});
  return clocks_;
}

}  // namespace steelyard::measure
