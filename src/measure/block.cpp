// SPDX-License-Identifier: Apache-2.0
#include "measure/block.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::measure {
namespace {

constexpr std::uint64_t warmup_of_first_trial = 2;
constexpr double probe_costs = 50;
constexpr double late_share_to_widen = 0.05;

constexpr double keeping_costs = 50;  // Keep takes at most a fiftieth of the time

/// What a suite finds to be impossible with this MPI library when it opens a point; a refusal by MPI has a class.
bool is_left_out(const record::Reason& reason) {
  return reason.code == record::ReasonCode::unsupported && !reason.mpi_class;
}

}  // namespace

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
  counts_above_s_.resize(tasks.size());
  before_.resize(tasks.size(), Step::Before::nothing);
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

// Fails a point, with the same reason on all ranks.
void Block::fail(std::size_t point, const record::Reason& reason) {
  if (reason.code == record::ReasonCode::mpi_error) {
    spoilt_ = true;
    if (context_.options->spoilt) context_.options->spoilt();
  }
  Outcome outcome;
  if (root()) {
    outcome.schedule.rule = task(point).schedule->rule();
    outcome.status = is_left_out(reason) ? record::Status::skipped : record::Status::failed;
    outcome.reason = reason;
  }
  close(point, std::move(outcome));
}

void Block::share_failure(std::size_t point, int rank) {
  fail(point, share_reason(context_.team->active, runs_[point].failure, rank));
}

// Closes a point; without an outcome it leaves no trace.
void Block::close(std::size_t point, std::optional<Outcome> outcome) {
  runs_[point].workload.reset();
  closed_[point] = true;
  if (!root()) return;
  outcomes_[point] = std::move(outcome);
  so_far_[point].reset();
}

void Block::emit(std::size_t point) {
  if (!root() || !outcomes_[point]) return;
  (*context_.sink)(point, std::move(*outcomes_[point]));
  outcomes_[point].reset();
}

void Block::settle_before(std::size_t point, const Step& step) {
  if (step.before == Step::Before::nothing) return;
  PointRun& run = runs_[point];
  const double region_s = run.last_region_s;
  const bool adopt = step.before == Step::Before::count_trial;
  account_.timed_s += adopt ? region_s : -region_s;
  account_.warmup_s += adopt ? 0 : region_s;
  if (adopt) run.count_last();
  if (!adopt) run.uncount_last();
  if (root() && adopt) ledgers_[point].add_overhead(-region_s);
}

// One step at one point; trials are merged by the caller.
void Block::execute(std::size_t point, const Step& step) {
  *context_.in_flight = task(point).number;
  settle_before(point, step);
  if (step.kind == Step::Kind::stop) {
    stopped_ = stopped_ || step.why == StopReason::interrupted;
    return finish(point, step.why);
  }
  if (step.kind == Step::Kind::fail) return share_failure(point, step.failed_rank);
  tell_begin(point);
  const Ticks start = context_.timer->now();
  if (!ready(point)) return;
  if (step.kind == Step::Kind::visit) return visit(point, step);
  PendingTrial pending{point, step.ops, {}, {}};
  pending.times = measurer_.trial(runs_[point], step, pending.costs);
  charge(point, start, 0, pending.costs.warmup_s);
  trials_.push_back(std::move(pending));
}

void Block::tell_begin(std::size_t point) const {
  if (root() && context_.options->begins && ledgers_[point].untouched())
    context_.options->begins(task(point).number);
}

void Block::visit(std::size_t point, const Step& step) {
  const Ticks start = context_.timer->now();
  VisitEntry entry = measurer_.visit(runs_[point], step);
  const double timed_s = entry.timed_s;
  const double warmup_s = entry.warmup_s;
  ++account_.visits;
  if (root()) record_visit(point, step, std::move(entry));
  if (step.keep) note_so_far(point);
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

// Decisions of rank 0, its books after each step, and how all ranks learn of them.

bool Block::stop_asked() {
  stop_seen_ = stop_seen_ || (*context_.stop && (*context_.stop)());
  return stop_seen_;
}

std::vector<Step> Block::agree_on(const Indices& points, const Indices& sequence) {
  *context_.in_flight = -1;
  std::vector<Step> steps(points.size());
  if (root()) steps = decide_all(points, sequence);
  context_.team->active.broadcast(std::span<Step>(steps));
  if (context_.options->met) context_.options->met();
  return steps;
}

std::vector<Step> Block::decide_all(const Indices& points, const Indices& sequence) {
  const bool stop = stop_asked();
  std::vector<Step> steps;
  for (const std::size_t point : points) steps.push_back(decide(point, stop));
  place_probes(points, sequence, steps);
  keeps_ = keep_due() && task(points.front()).schedule->interleaved();
  for (Step& step : steps) step.keep = keeps_ && step.kind == Step::Kind::visit;
  return steps;
}

Step Block::decide(std::size_t point, bool stop) {
  const Step::Before before = std::exchange(before_[point], Step::Before::nothing);
  Step step;
  if (failed_ranks_[point]) {
    step.kind = Step::Kind::fail;
    step.failed_rank = *failed_ranks_[point];
  } else {
    History history = ledgers_[point].history();
    history.earlier = earlier_;
    Decision decision = task(point).schedule->next(history);
    if (stop && !std::holds_alternative<Stop>(decision)) decision = Stop{StopReason::interrupted};
    step = std::visit([this, point](const auto& d) { return step_of(d, point); }, decision);
  }
  step.before = before;
  return step;
}

Step Block::step_of(const Stop& stop, std::size_t) {
  Step step;
  step.kind = Step::Kind::stop;
  step.why = stop.why;
  return step;
}

Step Block::step_of(const Trial& trial, std::size_t point) {
  counts_above_s_[point] = trial.counts_above_s;
  Step step;
  step.kind = Step::Kind::trial;
  step.ops = trial.ops;
  step.batches = 1;
  if (ledgers_[point].untouched() && task(point).schedule->interleaved()) step.warmup = warmup_of_first_trial;
  cover_roots(step, point);
  return step;
}

Step Block::step_of(const Visit& visit, std::size_t point) {
  const Traits& traits = task(point).traits;
  const bool whole = traits.timing == Timing::whole;
  Step step;
  step.kind = Step::Kind::visit;
  step.warmup = visit.warmup;
  step.ops = whole ? visit.ops_per_batch * visit.batches : visit.ops_per_batch;
  step.batches = whole ? 1 : visit.batches;
  if (traits.timing == Timing::each && traits.sync == Sync::window) {
    step.shortest_op_s = shortest_op_s();
    step.widen = ledgers_[point].last_late_share() > late_share_to_widen;
  }
  cover_roots(step, point);
  return step;
}

// With moving roots, batches and trials hold whole rounds of roots where that leaves at least five batches or
// all there were.
void Block::cover_roots(Step& step, std::size_t point) const {
  constexpr std::uint64_t least_batches = 5;
  const auto roots = static_cast<std::uint64_t>(context_.team->group.size());
  if (!task(point).traits.rooted || !task(point).schedule->interleaved()) return;
  const std::uint64_t ops = (step.ops + roots - 1) / roots * roots;
  const std::uint64_t batches = step.ops * step.batches / ops;
  if (batches < std::min(step.batches, least_batches)) return;
  step.ops = ops;
  step.batches = batches;
}

double Block::shortest_op_s() const {
  double shortest_s = std::numeric_limits<double>::infinity();
  for (const Ledger& ledger : ledgers_)
    if (ledger.op_s() > 0) shortest_s = std::min(shortest_s, ledger.op_s());
  return shortest_s == std::numeric_limits<double>::infinity() ? 0 : shortest_s;
}

// Probes before every visit that takes at least 50 times the cost of a probe, and before others if the last
// probe is long enough ago.
void Block::place_probes(const Indices& points, const Indices& sequence, std::vector<Step>& steps) const {
  if (!measurer_.probes()) return;
  const double due_s = probe_costs * measurer_.probe_cost_s();
  const Timer& timer = *context_.timer;
  double age_s = probed_at_ ? timer.seconds(timer.now() - *probed_at_) : due_s;
  for (const std::size_t i : sequence) {
    Step& step = steps[i];
    if (step.kind != Step::Kind::visit) continue;
    const double length_s = ledgers_[points[i]].op_s() * static_cast<double>(step.ops * step.batches);
    step.probe = length_s >= due_s || age_s >= due_s;
    age_s = step.probe ? length_s : age_s + length_s;
  }
}

void Block::record_visit(std::size_t point, const Step& step, VisitEntry entry) {
  if (step.probe) probed_at_ = context_.timer->now();
  if (entry.extremes.probed())
    last_probe_ = entry.extremes.probe();
  else if (last_probe_)  // not due again
    entry.extremes.set(*last_probe_);
  if (entry.extremes.migrated > 0) ++account_.migrated_visits;
  failed_ranks_[point] = entry.extremes.failed_rank(context_.team->active.size());
  Ledger& ledger = ledgers_[point];
  ledger.add_visit(step, std::move(entry));
  if (!task(point).schedule->interleaved() || !ledger.first_visit_unsettled()) return;
  ledger.forget_visit();
  before_[point] = Step::Before::forget_visit;
}

void Block::record_trial(const PendingTrial& trial, const TrialTimes& merged) {
  Extremes mark;
  mark.failed = merged.failed;
  failed_ranks_[trial.point] = mark.failed_rank(context_.team->active.size());
  Ledger& ledger = ledgers_[trial.point];
  ledger.add_trial({trial.ops, merged.seconds, merged.lead_in_s}, trial.costs);
  ledger.set_between(merged.between_s);
  const auto& above_s = counts_above_s_[trial.point];
  if (!above_s || merged.seconds <= *above_s) return;
  ledger.count_trial();
  before_[trial.point] = Step::Before::count_trial;
}

// Merges all trials of a round over ranks in one message.
void Block::merge_trials() {
  if (trials_.empty()) return;
  std::vector<TrialTimes> own, merged(trials_.size());
  for (const PendingTrial& trial : trials_) own.push_back(trial.times);
  const int doubles =
      mpi::to_int(static_cast<std::int64_t>(own.size() * sizeof(TrialTimes) / sizeof(double)));
  mpi::check(
      MPI_Reduce(own.data(), merged.data(), doubles, MPI_DOUBLE, MPI_MAX, 0, context_.team->active.get()),
      "MPI_Reduce");
  for (std::size_t i = 0; root() && i < trials_.size(); ++i) record_trial(trials_[i], merged[i]);
  trials_.clear();
}

// Classic schedules: one point after the other, in the order given; results are delivered as points finish.

void Block::run_classic(const Indices& points) {
  int passes = std::max(1, context_.options->classic_passes);
  for (const std::size_t point : points) passes = std::max(passes, task(point).passes);
  for (int pass = 1; pass <= passes && !stopped_ && !spoilt_; ++pass) run_pass(points, pass == passes);
  if (spoilt_)
    for (const std::size_t point : points) emit(point);
  if (!stopped_) return;
  // The results of earlier passes are kept.
  for (const std::size_t point : points) {
    if (!closed_[point]) finish(point, StopReason::interrupted);
    emit(point);
  }
}

void Block::run_pass(const Indices& points, bool last) {
  earlier_.clear();
  for (const std::size_t point : points) {
    if (!closed_[point]) measure_alone(point, last);
    if (stopped_ || spoilt_) return;
    if (last) emit(point);
  }
}

void Block::measure_alone(std::size_t point, bool last_pass) {
  const Indices alone{point};
  if (root()) ledgers_[point].start_pass();
  while (!closed_[point] && !spoilt_) {
    const Step step = agree_on(alone, {0}).front();
    const bool stops = step.kind == Step::Kind::stop && step.why != StopReason::interrupted;
    if (stops && !last_pass) break;
    execute(point, step);
    merge_trials();
  }
  if (root()) earlier_.push_back({task(point).bytes, ledgers_[point].history().ops});
  if (!closed_[point] && !spoilt_ && runs_[point].ops > 0) merge_classic(point);
}

// Interleaved schedules: rounds over the unfinished points in shuffled order; results are delivered in the order
// of the plan. Results that have to wait for earlier points are handed over now and then as they are so far.

void Block::run_rounds(Indices points) {
  const Indices all = points;
  kept_at_ = context_.timer->now();
  for (std::uint64_t round = 1; !points.empty() && !spoilt_; ++round) {
    run_round(points, round);
    std::erase_if(points, [this](std::size_t point) { return closed_[point]; });
    if (!measurer_.uses_window()) emit_prefix(all);
    if (!points.empty()) hand_over_so_far(all);
  }
  if (const auto clocks = spoilt_ ? std::nullopt : measurer_.check_clocks_again())
    for (const std::size_t point : all) note_clocks(point, *clocks);
  for (const std::size_t point : all) emit(point);
}

// A point measured with windows is judged by the error of its clocks at the end of the block.
void Block::emit_prefix(const Indices& all) {
  for (; emitted_ < all.size() && closed_[all[emitted_]]; ++emitted_) emit(all[emitted_]);
}

bool Block::keep_due() const {
  if (!*context_.keep) return false;
  const double age_s = context_.timer->seconds(context_.timer->now() - kept_at_);
  return age_s >= std::max(context_.options->keep_every_s, keeping_costs * keeping_s_);
}

// Collective, for the values over ranks.
void Block::note_so_far(std::size_t point) {
  ClassicValues values = classic_so_far(point);
  if (!root() || ledgers_[point].batches() < context_.options->min_batches) return;
  Ledger so_far = ledgers_[point];
  so_far.add_classic(std::move(values));
  so_far_[point] = so_far.outcome(StopReason::interrupted, measurer_.effective(task(point).traits));
}

void Block::hand_over_so_far(const Indices& all) {
  if (!root() || !keeps_) return;
  const Ticks start = context_.timer->now();
  std::vector<SoFar> kept;
  for (const std::size_t point : all) {
    const auto& outcome = outcomes_[point] ? outcomes_[point] : so_far_[point];
    if (outcome) kept.push_back({point, *outcome});
  }
  (*context_.keep)(std::move(kept));
  kept_at_ = context_.timer->now();
  keeping_s_ = context_.timer->seconds(kept_at_ - start);
}

void Block::run_round(const Indices& points, std::uint64_t round) {
  const Indices sequence = shuffled(points.size(), context_.options->seed, context_.number, round);
  const std::vector<Step> steps = agree_on(points, sequence);
  for (const std::size_t i : sequence) {
    execute(points[i], steps[i]);
    if (spoilt_) return;
  }
  merge_trials();
}

// The end of a point: classic values, checking pass, outcome.

void Block::finish(std::size_t point, StopReason why) {
  const Ticks start = context_.timer->now();
  if (runs_[point].ops > 0) merge_classic(point);
  Outcome extra;
  if (runs_[point].total_ops > 0) extra.figures = figures(point);
  if (why != StopReason::interrupted && runs_[point].total_ops > 0) {
    check(point, extra);
  }
  if (closed_[point]) return;
  charge(point, start, 0, 0);
  std::optional<Outcome> outcome;
  if (worth_keeping(point, why)) {
    outcome = ledgers_[point].outcome(why, measurer_.effective(task(point).traits));
    outcome->check = std::move(extra.check);
    outcome->figures = std::move(extra.figures);
    outcome->single_times_s = std::move(runs_[point].singles_s);
  }
  close(point, std::move(outcome));
  if (task(point).schedule->interleaved()) return;
  if (const auto clocks = measurer_.check_clocks_again()) note_clocks(point, *clocks);
}

// Notes the error of the window's clocks in an outcome, on rank 0 before it is delivered.
void Block::note_clocks(std::size_t point, const ClocksOfWindow& clocks) {
  if (!root() || !outcomes_[point] || outcomes_[point]->schedule.sync != "window") return;
  record::Schedule& schedule = outcomes_[point]->schedule;
  schedule.clock_error_s = clocks.error_max_s;
  schedule.clock_error_median_s = clocks.error_median_s;
  schedule.clock_sync_s = clocks.spent_s;
}

// On rank 0. An interrupted point with too few batches is dropped. A point that its rule ended before the
// first batch is recorded as skipped.
bool Block::worth_keeping(std::size_t point, StopReason why) const {
  if (!root()) return false;
  if (why != StopReason::interrupted) return true;
  const bool interleaved = task(point).schedule->interleaved();
  return ledgers_[point].batches() >= (interleaved ? context_.options->min_batches : 1);
}

std::vector<double> Block::figures(std::size_t point) const {
  if (!task(point).figures) return {};
  const auto& active = context_.team->active;
  const std::vector<double> own = task(point).figures();
  std::vector<double> all(root() ? own.size() * static_cast<std::size_t>(active.size()) : 0);
  const int count = mpi::to_int(static_cast<std::int64_t>(own.size()));
  mpi::check(MPI_Gather(own.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, active.get()),
             "MPI_Gather");
  return all;
}

void Block::check(std::size_t point, Outcome& outcome) {
  const std::uint64_t repetitions = task(point).verify_repetitions;
  if (repetitions == 0 || !opened(point)) return;
  Verification found = verify(*runs_[point].workload, repetitions, context_.team->active);
  if (found.failure) return fail(point, *found.failure);
  outcome.check = std::move(found.check);
}

}  // namespace steelyard::measure
