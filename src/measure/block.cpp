// SPDX-License-Identifier: Apache-2.0
#include "measure/block.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::measure {

Block::Block(const Context& context, std::span<const Task> tasks)
    : context_(context),
      tasks_(tasks),
      measurer_(*context.team, *context.timer, *context.options),
      spread_(*context.team),
      runs_(tasks.size()),
      closed_(tasks.size(), false) {
  for (std::size_t i = 0; i < tasks.size(); ++i) runs_[i].task = &tasks[i];
  if (!root()) return;
  for (const Task& task : tasks) ledgers_.emplace_back(task, *context.options);
  outcomes_.resize(tasks.size());
  so_far_.resize(tasks.size());
  failed_ranks_.resize(tasks.size());
  adopt_above_s_.resize(tasks.size());
  before_.resize(tasks.size(), Order::Before::nothing);
}

bool Block::run() {
  Indices classic, interleaved;
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    (task(i).schedule->interleaved() ? interleaved : classic).push_back(i);
  run_classic(classic);
  run_rounds(interleaved);
  return stopped_;
}

std::vector<std::size_t> Block::left_out() const {
  Indices open;
  for (std::size_t i = 0; spoilt_ && !stopped_ && i < closed_.size(); ++i)
    if (!closed_[i]) open.push_back(i);
  return open;
}

void Block::charge(std::size_t point, Ticks since, double timed_s, double warmup_s) {
  account_.timed_s += timed_s;
  account_.warmup_s += warmup_s;
  if (!root()) return;
  const double spent_s = context_.timer->seconds(context_.timer->now() - since);
  ledgers_[point].add_overhead(spent_s - timed_s - warmup_s);
}

bool Block::ready(std::size_t point) {
  const Failure failure = measurer_.open(runs_[point]);
  if (failure) fail(point, *failure);
  return !failure;
}

// The same reason on all ranks.
void Block::fail(std::size_t point, const record::Reason& reason) {
  spoilt_ = spoilt_ || reason.code == record::ReasonCode::mpi_error;
  Outcome outcome;
  if (root()) {
    outcome.schedule.rule = task(point).schedule->rule();
    outcome.status = record::Status::failed;
    outcome.reason = reason;
  }
  close(point, std::move(outcome));
}

void Block::share_failure(std::size_t point, int rank) {
  fail(point, share_reason(context_.team->active, runs_[point].failure, rank));
}

// Without an outcome the point leaves no trace.
void Block::close(std::size_t point, std::optional<Outcome> outcome) {
  runs_[point].workload.reset();
  closed_[point] = true;
  if (!root()) return;
  outcomes_[point] = std::move(outcome);
  so_far_[point].reset();
}

void Block::deliver(std::size_t point) {
  if (!root() || !outcomes_[point]) return;
  (*context_.sink)(point, std::move(*outcomes_[point]));
  outcomes_[point].reset();
}

void Block::obey_before(std::size_t point, const Order& order) {
  if (order.before == Order::Before::nothing) return;
  PointRun& run = runs_[point];
  const double region_s = run.last_region_s;
  const bool adopt = order.before == Order::Before::adopt_trial;
  account_.timed_s += adopt ? region_s : -region_s;
  account_.warmup_s += adopt ? 0 : region_s;
  if (adopt) run.count_last();
  if (!adopt) run.uncount_last();
  if (root() && adopt) ledgers_[point].add_overhead(-region_s);
}

// One step at one point; trials are merged by the caller.
void Block::obey(std::size_t point, const Order& order) {
  *context_.in_flight = task(point).number;
  obey_before(point, order);
  if (order.kind == Order::Kind::stop) {
    stopped_ = stopped_ || order.why == StopReason::interrupted;
    return finish(point, order.why);
  }
  if (order.kind == Order::Kind::fail) return share_failure(point, order.failed_rank);
  const Ticks start = context_.timer->now();
  if (!ready(point)) return;
  if (order.kind == Order::Kind::visit) return visit(point, order);
  PendingTrial pending{point, order.ops, {}, {}};
  pending.times = measurer_.trial(runs_[point], order, pending.costs);
  charge(point, start, 0, pending.costs.warmup_s);
  trials_.push_back(std::move(pending));
}

void Block::visit(std::size_t point, const Order& order) {
  const Ticks start = context_.timer->now();
  VisitEntry entry = measurer_.visit(runs_[point], order);
  const double timed_s = entry.timed_s;
  const double warmup_s = entry.warmup_s;
  ++account_.visits;
  if (root()) book_visit(point, order, std::move(entry));
  if (order.keep) note_so_far(point);
  charge(point, start, timed_s, warmup_s);
}

ClassicValues Block::classic_so_far(std::size_t point) {
  const PointRun& run = runs_[point];
  const Traits& traits = task(point).traits;
  const double mean_s = run.ops == 0 ? 0 : run.own_s / static_cast<double>(run.ops);
  const bool takes_part = traits.over_ranks == OverRanks::max || traits.owns_result;
  ClassicValues values = spread_.merge(mean_s, takes_part);
  if (traits.by_host) {
    if (!hosts_) hosts_.emplace(context_.team->active);
    values.hosts = hosts_->merge(mean_s, takes_part);
  }
  return values;
}

void Block::merge_classic(std::size_t point) {
  ClassicValues values = classic_so_far(point);
  runs_[point].own_s = 0;
  runs_[point].ops = 0;
  if (root()) ledgers_[point].add_classic(std::move(values));
}

}  // namespace steelyard::measure
