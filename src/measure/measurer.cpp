// SPDX-License-Identifier: Apache-2.0
#include "measure/measurer.hpp"

#include <algorithm>

#include "measure/first_error.hpp"
#include "measure/synchronise.hpp"
#include "mpi/error.hpp"

namespace steelyard::measure {

void PointRun::count_last() {
  ++visits;
  ops += last_ops;
  total_ops += last_ops;
  own_s += last_s;
}

void PointRun::uncount_last() {
  --visits;
  ops -= last_ops;
  total_ops -= last_ops;
  own_s -= last_s;
  singles_s.resize(singles_s.size() - last_singles);
  last_singles = 0;
}

Measurer::Measurer(const Team& team, Timer& timer, const EngineOptions& options)
    : team_(&team), timer_(&timer), options_(&options), global_times_(team.group) {
  if (options.probe_states) probe_ = std::make_unique<StateProbe>(team.active, timer);
}

Failure Measurer::open(PointRun& point) {
  const int placement = point.visits % point.task->placements;
  if (point.workload && point.placement == placement) return std::nullopt;
  point.workload.reset();
  point.placement = placement;
  point.failure = attempt([&point, placement] { point.workload = point.task->open(placement); });
  return agree(team_->active, point.failure);
}

void Measurer::meet(const PointRun& point) {
  const bool own = point.task->traits.meeting == Meeting::dissemination;
  Synchroniser& barrier = known_synchroniser(own ? Sync::dissemination : Sync::barrier);
  mpi::check(barrier.synchronise(), "barrier before the clock");
  mpi::check(barrier.synchronise(), "barrier before the clock");
}

void Measurer::note_error(PointRun& point, int code) const {
  if (code != MPI_SUCCESS && !point.failure) point.failure = reason_of_code(code, point.task->operation);
}

void Measurer::warm_up(PointRun& point, std::uint64_t ops, VisitEntry& entry) {
  if (ops == 0) return;
  const Ticks start = timer_->now();
  int error = MPI_SUCCESS;
  keep_first(error, point.workload->run(point.next_op, ops));
  keep_first(error, point.workload->complete());
  entry.warmup_s += timer_->seconds(timer_->now() - start);
  point.next_op += ops;
  note_error(point, error);
}

TrialTimes Measurer::trial(PointRun& point, const Order& order, VisitEntry& costs) {
  warm_up(point, order.warmup, costs);
  begin_.resize(2);
  team_->group.barrier();
  note_error(point, timer_->contiguous(*point.workload, point.next_op, order.ops, begin_));
  point.next_op += order.ops;
  point.last_ops = order.ops;
  point.last_s = point.last_region_s = costs.timed_s = timer_->seconds(begin_[1] - begin_[0]);
  const bool counts = point.task->traits.over_ranks == OverRanks::max || point.task->traits.owns_result;
  Extremes mark;
  if (point.failure) mark.set_failed(team_->active);
  return {counts ? costs.timed_s : 0, between_s(*point.task), mark.failed};
}

// Schedules plan visits before the first one shows what the synchronisation costs.
double Measurer::between_s(const Task& task) {
  const Traits& traits = task.traits;
  if (traits.timing != Timing::each || !task.schedule->interleaved()) return 0;
  auto& known = between_s_[static_cast<std::size_t>(traits.sync)];
  if (!known) known = synchronisation_time(traits.sync, team_->group, *timer_);
  return *known;
}

VisitEntry Measurer::visit(PointRun& point, const Order& order) {
  VisitEntry entry;
  own_ = {};
  point.last_singles = 0;
  if (!point.task->traits.warm_up_meets) warm_up(point, order.warmup, entry);
  if (order.probe && probe_) own_.set(probe_->measure());
  if (point.task->traits.timing == Timing::each) {
    time_each(point, order, entry);
  } else {
    time_contiguous(point, order, entry);
  }
  point.last_ops = order.ops * order.batches;
  point.last_region_s = entry.timed_s;
  point.count_last();
  entry.extremes = message_.extremes();
  return entry;
}

Sync Measurer::effective(const Traits& traits) const {
  if (traits.timing != Timing::each) return Sync::none;
  return traits.sync == Sync::window && window_is_poor_ ? Sync::dissemination : traits.sync;
}

Extremes Measurer::extremes(const PointRun& point, const Usage& before) const {
  const UsageSpan span = between(before, usage_.read());
  Extremes result = own_;
  result.waited_s = span.waited_s;
  result.switches = static_cast<double>(span.switches);
  result.faults = static_cast<double>(span.faults);
  result.migrated = span.migrated ? 1 : 0;
  if (point.failure) result.set_failed(team_->active);
  return result;
}

}  // namespace steelyard::measure
