// SPDX-License-Identifier: Apache-2.0
// Decisions of rank 0, what it books after each step, and how all ranks learn of them.
#include <algorithm>
#include <limits>
#include <utility>

#include "measure/block.hpp"
#include "mpi/error.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::measure {
namespace {

constexpr std::uint64_t warmup_of_first_trial = 2;
constexpr double probe_costs = 50;
constexpr double late_share_to_widen = 0.05;

}  // namespace

bool Block::stop_asked() {
  stop_seen_ = stop_seen_ || (*context_.stop && (*context_.stop)());
  return stop_seen_;
}

std::vector<Order> Block::agree_on(const Indices& points, const Indices& sequence) {
  *context_.in_flight = -1;
  std::vector<Order> orders(points.size());
  if (root()) orders = decide_all(points, sequence);
  context_.team->active.broadcast(std::span<Order>(orders));
  if (context_.options->met) context_.options->met();
  return orders;
}

std::vector<Order> Block::decide_all(const Indices& points, const Indices& sequence) {
  const bool stop = stop_asked();
  std::vector<Order> orders;
  for (const std::size_t point : points) orders.push_back(decide(point, stop));
  place_probes(points, sequence, orders);
  keeps_ = keep_due() && task(points.front()).schedule->interleaved();
  for (Order& order : orders) order.keep = keeps_ && order.kind == Order::Kind::visit;
  return orders;
}

Order Block::decide(std::size_t point, bool stop) {
  const Order::Before before = std::exchange(before_[point], Order::Before::nothing);
  Order order;
  if (failed_ranks_[point]) {
    order.kind = Order::Kind::fail;
    order.failed_rank = *failed_ranks_[point];
  } else {
    History history = ledgers_[point].history();
    history.earlier = earlier_;
    Decision decision = task(point).schedule->next(history);
    if (stop && !std::holds_alternative<Stop>(decision)) decision = Stop{StopReason::interrupted};
    order = std::visit([this, point](const auto& d) { return ordered(d, point); }, decision);
  }
  order.before = before;
  return order;
}

Order Block::ordered(const Stop& stop, std::size_t) {
  Order order;
  order.kind = Order::Kind::stop;
  order.why = stop.why;
  return order;
}

Order Block::ordered(const Trial& trial, std::size_t point) {
  adopt_above_s_[point] = trial.counts_above_s;
  Order order;
  order.kind = Order::Kind::trial;
  order.ops = trial.ops;
  order.batches = 1;
  if (ledgers_[point].untouched()) {
    order.warmup = task(point).extra_warmup;
    if (task(point).schedule->interleaved()) order.warmup += warmup_of_first_trial;
  }
  cover_roots(order, point);
  return order;
}

Order Block::ordered(const Visit& visit, std::size_t point) {
  const Traits& traits = task(point).traits;
  const bool whole = traits.timing == Timing::whole;
  Order order;
  order.kind = Order::Kind::visit;
  order.warmup = visit.warmup + (ledgers_[point].untouched() ? task(point).extra_warmup : 0);
  order.ops = whole ? visit.ops_per_batch * visit.batches : visit.ops_per_batch;
  order.batches = whole ? 1 : visit.batches;
  if (traits.timing == Timing::each && traits.sync == Sync::window) {
    order.shortest_op_s = shortest_op_s();
    order.widen = ledgers_[point].last_late_share() > late_share_to_widen;
  }
  cover_roots(order, point);
  return order;
}

// Moving roots: batches and trials hold whole rounds of roots where that leaves at least five batches or all
// there were.
void Block::cover_roots(Order& order, std::size_t point) const {
  constexpr std::uint64_t least_batches = 5;
  const auto roots = static_cast<std::uint64_t>(context_.team->group.size());
  if (!task(point).traits.rooted || !task(point).schedule->interleaved()) return;
  const std::uint64_t ops = (order.ops + roots - 1) / roots * roots;
  const std::uint64_t batches = order.ops * order.batches / ops;
  if (batches < std::min(order.batches, least_batches)) return;
  order.ops = ops;
  order.batches = batches;
}

double Block::shortest_op_s() const {
  double shortest_s = std::numeric_limits<double>::infinity();
  for (const Ledger& ledger : ledgers_)
    if (ledger.op_s() > 0) shortest_s = std::min(shortest_s, ledger.op_s());
  return shortest_s == std::numeric_limits<double>::infinity() ? 0 : shortest_s;
}

// Before every visit of at least 50 probe costs; else when the last look is so long ago.
void Block::place_probes(const Indices& points, const Indices& sequence, std::vector<Order>& orders) const {
  if (!measurer_.probes()) return;
  const double due_s = probe_costs * measurer_.probe_cost_s();
  const Timer& timer = *context_.timer;
  double age_s = probed_at_ ? timer.seconds(timer.now() - *probed_at_) : due_s;
  for (const std::size_t i : sequence) {
    Order& order = orders[i];
    if (order.kind != Order::Kind::visit) continue;
    const double length_s = ledgers_[points[i]].op_s() * static_cast<double>(order.ops * order.batches);
    order.probe = length_s >= due_s || age_s >= due_s;
    age_s = order.probe ? length_s : age_s + length_s;
  }
}

void Block::book_visit(std::size_t point, const Order& order, VisitEntry entry) {
  if (order.probe) probed_at_ = context_.timer->now();
  if (entry.extremes.migrated > 0) ++account_.migrated_visits;
  failed_ranks_[point] = entry.extremes.failed_rank(context_.team->active);
  Ledger& ledger = ledgers_[point];
  ledger.add_visit(order, std::move(entry));
  if (!task(point).schedule->interleaved() || !ledger.first_visit_unsettled()) return;
  ledger.forget_visit();
  before_[point] = Order::Before::forget_visit;
}

void Block::book_trial(const PendingTrial& trial, const TrialTimes& merged) {
  Extremes mark;
  mark.failed = merged.failed;
  failed_ranks_[trial.point] = mark.failed_rank(context_.team->active);
  Ledger& ledger = ledgers_[trial.point];
  ledger.add_trial(trial.ops, merged.seconds, trial.costs);
  ledger.set_between(merged.between_s);
  const auto& above_s = adopt_above_s_[trial.point];
  if (!above_s || merged.seconds <= *above_s) return;
  ledger.adopt_trial();
  before_[trial.point] = Order::Before::adopt_trial;
}

// One message for all trials of a round.
void Block::merge_trials() {
  if (trials_.empty()) return;
  std::vector<TrialTimes> own, merged(trials_.size());
  for (const PendingTrial& trial : trials_) own.push_back(trial.times);
  const int doubles =
      mpi::to_int(static_cast<std::int64_t>(own.size() * sizeof(TrialTimes) / sizeof(double)));
  mpi::check(
      MPI_Reduce(own.data(), merged.data(), doubles, MPI_DOUBLE, MPI_MAX, 0, context_.team->active.get()),
      "MPI_Reduce");
  for (std::size_t i = 0; root() && i < trials_.size(); ++i) book_trial(trials_[i], merged[i]);
  trials_.clear();
}

}  // namespace steelyard::measure
