// SPDX-License-Identifier: Apache-2.0
#include "measure/measurer.hpp"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "measure/workload.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "units/text.hpp"

namespace steelyard::measure {

namespace {

using Packed = std::array<double, sizeof(Extremes) / sizeof(double)>;

std::string nanoseconds(double seconds) {
  return units::format_significant(seconds * 1e9, 3) + " ns";
}

constexpr std::uint64_t most_in_flight = 4096;  // times of one rank

// True if this rank's times enter the result.
bool counts(const Traits& traits) {
  return traits.over_ranks == OverRanks::max || traits.owns_result;
}

// Of readings one after the other: where each span between two begins and ends.

std::span<const Ticks> starts(const std::vector<Ticks>& readings) {
  return std::span(readings).first(readings.size() - 1);
}

std::span<const Ticks> ends(const std::vector<Ticks>& readings) {
  return std::span(readings).subspan(1);
}

/// Placement of a visit. With few visits all places are seen; with many, a file or window is not opened again for each.
int placement_of(const Task& task, int visit) {
  if (visit < task.placements || !task.schedule->interleaved()) return visit % task.placements;
  return (visit - task.placements) / task.visits_at_a_place % task.placements;
}

}  // namespace

std::span<double> VisitMessage::values(std::size_t count) {
  count_ = count;
  own_.resize(count + tail);
  merged_.resize(count + tail);
  return {own_.data(), count};
}

void VisitMessage::merge(const mpi::Communicator& active, const Extremes& own) {
  std::ranges::copy(std::bit_cast<Packed>(own), own_.begin() + static_cast<std::ptrdiff_t>(count_));
  const int length = mpi::to_int(static_cast<std::int64_t>(own_.size()));
  mpi::check(MPI_Reduce(own_.data(), merged_.data(), length, MPI_DOUBLE, MPI_MAX, 0, active.get()),
             "MPI_Reduce");
}

Extremes VisitMessage::extremes() const {
  Packed packed{};
  std::ranges::copy(std::span(merged_).last(packed.size()), packed.begin());
  return std::bit_cast<Extremes>(packed);
}

void VisitMessage::keep(const Extremes& extremes) {
  std::ranges::copy(std::bit_cast<Packed>(extremes), merged_.end() - Packed{}.size());
}

void PointRun::count_last() {
  ++visits;
  ops += last_ops;
  total_ops += last_ops;
  own_s += last_s;
  workload->timed(last_ops, last_s);
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
  if (!options.probe_states) return;
  probe_ = std::make_unique<StateProbe>(team.active, timer);
  if (probe_->without_lines())
    notices_.push_back({"shared_memory",
                        "two processes of a node could not make the memory that they share: states of the "
                        "machine are told without the time between two cores"});
}

Failure Measurer::open(PointRun& point) {
  const int placement = placement_of(*point.task, point.visits);
  if (point.workload && point.placement == placement && !point.task->opens_anew) return std::nullopt;
  point.workload.reset();
  point.placement = placement;
  static_cast<void>(
      mpi::take_noted_call());  // of something else, such as a trial whether a library can do a thing
  point.failure = attempt([&point, placement] { point.workload = point.task->open(placement); });
  return agree(team_->active, point.failure);
}

void Measurer::meet(const PointRun& point) {
  if (point.task->traits.meeting == Meeting::none) return;
  const bool own = point.task->traits.meeting == Meeting::dissemination;
  Synchroniser& barrier = known_synchroniser(own ? Sync::dissemination : Sync::barrier);
  for (int i = 0; i < point.task->traits.meetings; ++i)
    mpi::check(barrier.synchronise(), "barrier before the clock");
}

void Measurer::note_error(PointRun& point, int code) const {
  if (code == MPI_SUCCESS) return;
  const std::string call = mpi::take_noted_call();
  if (point.failure) return;
  point.failure = reason_of_code(code, call.empty() ? point.task->operation : call, mpi::noted_system_error);
}

// What lies between such readings was not measured by anybody.
void Measurer::note_steps_back(PointRun& point, std::span<const Ticks> begin,
                               std::span<const Ticks> end) const {
  Ticks furthest = 0;
  for (std::size_t i = 0; i < begin.size(); ++i) furthest = std::min(furthest, end[i] - begin[i]);
  if (furthest == 0 || point.failure) return;
  const std::string back = nanoseconds(-timer_->seconds(furthest));
  point.failure = attempt([&back] {
    throw std::runtime_error("the clock went back by " + back + " while operations were timed");
  });
}

void Measurer::warm_up(PointRun& point, std::uint64_t ops, VisitEntry& entry) {
  if (point.task->traits.counts_anew) point.next_op = 0;
  if (ops == 0) return;
  const Ticks start = timer_->now();
  int error = MPI_SUCCESS;
  keep_first(error, point.workload->run(point.next_op, ops));
  keep_first(error, point.workload->complete());
  entry.warmup_s += timer_->seconds(timer_->now() - start);
  point.next_op += point.task->traits.counts_anew ? 0 : ops;
  note_error(point, error);
}

// Counts as warm-up: it belongs to no operation that is timed.
double Measurer::lead_in(PointRun& point, std::uint64_t ops, VisitEntry& entry) {
  const Ticks start = timer_->now();
  note_error(point, point.workload->lead_in(ops));
  const double seconds = timer_->seconds(timer_->now() - start);
  entry.warmup_s += seconds;
  return seconds;
}

TrialTimes Measurer::trial(PointRun& point, const Step& step, VisitEntry& costs) {
  warm_up(point, step.warmup, costs);
  const double lead_in_s = lead_in(point, step.ops, costs);
  begin_.resize(2);
  point.workload->begin_counting(1);
  team_->group.barrier();
  note_error(point, timer_->contiguous(*point.workload, point.next_op, step.ops, begin_));
  note_steps_back(point, starts(begin_), ends(begin_));
  point.next_op += step.ops;
  point.last_ops = step.ops;
  point.last_s = point.last_region_s = costs.timed_s = timer_->seconds(begin_[1] - begin_[0]);
  if (const auto own = point.workload->counted_s(); !own.empty()) point.last_s = own.front();
  const bool counts = point.task->traits.over_ranks == OverRanks::max || point.task->traits.owns_result;
  Extremes mark;
  if (point.failure) mark.set_failed(team_->active.rank(), team_->active.size());
  return {counts ? point.last_s : 0, counts ? lead_in_s : 0, between_s(*point.task), mark.failed};
}

// Schedules plan visits before the first one shows what the synchronisation costs.
double Measurer::between_s(const Task& task) {
  const Traits& traits = task.traits;
  if (traits.timing != Timing::each || !task.schedule->interleaved()) return 0;
  auto& known = between_s_[static_cast<std::size_t>(traits.sync)];
  if (!known) known = synchronisation_time(traits.sync, team_->group, *timer_);
  return *known;
}

VisitEntry Measurer::visit(PointRun& point, const Step& step) {
  VisitEntry entry;
  own_ = {};
  point.last_singles = 0;
  if (!point.task->traits.warm_up_meets) warm_up(point, step.warmup, entry);
  lead_in(point, step.ops * step.batches, entry);
  if (step.probe && probe_) own_.set(probe_->measure());
  if (point.task->traits.timing == Timing::each) {
    time_each(point, step, entry);
  } else {
    time_contiguous(point, step, entry);
  }
  point.last_ops = step.ops * step.batches;
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
  if (point.failure) result.set_failed(team_->active.rank(), team_->active.size());
  return result;
}

// The window mode of Measurer: clocks that agree, and the check whether they do.

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

// Time of an operation from trials of its own: schedules without trials leave it unknown.
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

// With the whole group timed, its common clock tells from the first start to the last end.
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

// The timed half of Measurer: contiguous batches, and operations one by one.

void Measurer::time_contiguous(PointRun& point, const Step& step, VisitEntry& entry) {
  // Readings of a batch: at its end, or after each of its operations.
  const std::uint64_t readings = point.task->single_times > 0 ? step.ops : 1;
  begin_.assign(step.batches * readings + 1, 0);
  const auto values = message_.values(step.batches);
  point.workload->begin_counting(step.batches * readings);
  meet(point);
  const Usage before = usage_.read();
  if (point.task->traits.warm_up_meets) warm_up(point, step.warmup, entry);
  note_error(point, timer_->contiguous(*point.workload, point.next_op, step.ops / readings, begin_));
  note_steps_back(point, starts(begin_), ends(begin_));
  own_ = extremes(point, before);
  point.next_op += step.ops * step.batches;
  point.last_s = entry.timed_s = timer_->seconds(begin_.back() - begin_.front());
  const double share = counts(point.task->traits) ? 1 / static_cast<double>(step.ops) : 0;
  for (std::size_t b = 0; b < values.size(); ++b)
    values[b] = timer_->seconds(begin_[(b + 1) * readings] - begin_[b * readings]) * share;
  if (const auto own = point.workload->counted_s(); !own.empty()) {
    point.last_s = std::accumulate(own.begin(), own.end(), 0.0);
    for (std::size_t b = 0; b < values.size(); ++b) {
      const auto batch = own.subspan(b * readings, readings);
      values[b] = std::accumulate(batch.begin(), batch.end(), 0.0) * share;
    }
  }
  keep_singles(point, starts(begin_), ends(begin_));
  message_.merge(team_->active, own_);
  entry.batches_s.assign(message_.merged().begin(), message_.merged().end());
}

// The maximum over ranks is taken operation by operation; k merged operations then make a batch.
void Measurer::time_each(PointRun& point, const Step& step, VisitEntry& entry) {
  Synchroniser& sync = synchroniser(point, step.shortest_op_s);
  if (auto* window = dynamic_cast<WindowSynchroniser*>(&sync); window != nullptr && step.widen)
    window->widen();
  const std::uint64_t total = step.ops * step.batches;
  const double share = 1 / static_cast<double>(step.ops);
  entry.batches_s.assign(step.batches, 0);
  point.last_s = 0;
  const Extremes probed = own_;
  Extremes worst = own_;
  for (std::uint64_t done = 0; done < total;) {
    const std::uint64_t count = std::min(most_in_flight, total - done);
    own_ = probed;
    entry.timed_s += each_chunk(point, sync, count);
    const auto merged = message_.merged();
    for (std::size_t i = 0; i < count; ++i) entry.batches_s[(done + i) / step.ops] += merged[i] * share;
    worst.add(message_.extremes());
    done += count;
  }
  message_.keep(worst);
}

double Measurer::each_chunk(PointRun& point, Synchroniser& sync, std::size_t count) {
  begin_.assign(count, 0);
  end_.assign(count, 0);
  const auto values = message_.values(count);
  WindowSynchroniser* const window = global_clock(point);
  if (window != nullptr) window->expect(count);
  point.workload->begin_counting(count);
  meet(point);
  const Usage before = usage_.read();
  const Ticks start = timer_->now();
  note_error(point, timer_->each(*point.workload, sync, point.next_op, begin_, end_));
  const double region_s = timer_->seconds(timer_->now() - start);
  note_steps_back(point, begin_, end_);
  own_ = extremes(point, before);
  own_.late = static_cast<double>(sync.take_late());
  point.next_op += count;
  keep_singles(point, begin_, end_);
  const bool counted = counts(point.task->traits);
  const auto own = point.workload->counted_s();
  for (std::size_t i = 0; i < count; ++i) {
    const double seconds = own.empty() ? timer_->seconds(end_[i] - begin_[i]) : own[i];
    point.last_s += seconds;
    values[i] = counted ? seconds : 0;
  }
  if (window != nullptr)
    own_.late = static_cast<double>(global_times_.merge(*window, *timer_, begin_, end_, values));
  message_.merge(team_->active, own_);
  return region_s;
}

void Measurer::keep_singles(PointRun& point, std::span<const Ticks> begin, std::span<const Ticks> end) const {
  const auto room =
      point.task->single_times - std::min<std::uint64_t>(point.task->single_times, point.singles_s.size());
  const auto count = std::min<std::size_t>(begin.size(), room);
  for (std::size_t i = 0; i < count; ++i)
    point.singles_s.push_back(timer_->seconds(end[i] - begin[i]) / point.task->traits.time_divisor);
  point.last_singles += count;
}

void merge_means(const RankMeans& in, RankMeans& into) {
  if (in.ranks == 0) return;
  if (into.ranks == 0) {
    into = in;
    return;
  }
  const bool slower = in.max_s > into.max_s;
  const bool equal = in.max_s == into.max_s;
  if (slower || (equal && in.slowest_rank < into.slowest_rank)) into.slowest_rank = in.slowest_rank;
  into.max_s = std::max(into.max_s, in.max_s);
  into.min_s = std::min(into.min_s, in.min_s);
  into.sum_s += in.sum_s;
  into.sum_rate_op_s += in.sum_rate_op_s;
  into.ranks += in.ranks;
}

RankSpread spread_of(const RankMeans& means) {
  if (means.ranks == 0) return {};
  const auto ranks = static_cast<double>(means.ranks);
  return {means.min_s, means.max_s, means.sum_s / ranks, means.slowest_rank, means.sum_rate_op_s / ranks};
}

SpreadOverRanks::SpreadOverRanks(const Team& team) : team_(&team) {
  if (team.groups > 1) roots_ = team.active.split(team.group.is_root() ? 0 : -1, team.index);
}

std::vector<RankMeans> SpreadOverRanks::by_group(const RankMeans& own) const {
  RankMeans mine = reduction_.to_root(own, team_->group);
  if (team_->groups == 1) return {mine};
  std::vector<RankMeans> all;
  if (!roots_.valid()) return all;
  all.resize(static_cast<std::size_t>(roots_.is_root() ? team_->groups : 0));
  constexpr int bytes = sizeof(RankMeans);
  mpi::check(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, roots_.get()), "MPI_Gather");
  return all;
}

ClassicValues SpreadOverRanks::merge(double mean_s, bool takes_part) const {
  RankMeans own;
  const double rate_op_s = mean_s > 0 ? 1 / mean_s : 0;
  if (takes_part) own = {mean_s, mean_s, mean_s, 1, team_->active.rank(), rate_op_s};
  ClassicValues result;
  RankMeans total;
  for (const RankMeans& group : by_group(own)) {
    merge_means(group, total);
    result.by_group.push_back(spread_of(group));
  }
  result.all = spread_of(total);
  return result;
}

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active) : RatesOfHosts(active, active.split_shared()) {}

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host)
    : host_(std::move(host)), leaders_(active.split(host_.is_root() ? 0 : -1, active.rank())) {
  first_rank_ = host_.broadcast(active.rank());
}

std::vector<HostRate> RatesOfHosts::merge(double mean_s, bool takes_part) const {
  const bool counts = takes_part && mean_s > 0;
  const std::array<double, 2> own{counts ? 1 / mean_s : 0.0, counts ? 1.0 : 0.0};
  std::array<double, 2> sum{};
  mpi::check(MPI_Reduce(own.data(), sum.data(), 2, MPI_DOUBLE, MPI_SUM, 0, host_.get()), "MPI_Reduce");
  if (!leaders_.valid() || leaders_.size() < 2) return {};
  HostRate mine{first_rank_, sum[1] > 0 ? sum[0] / sum[1] : 0};
  std::vector<HostRate> all(leaders_.is_root() ? static_cast<std::size_t>(leaders_.size()) : 0);
  constexpr int bytes = sizeof(HostRate);
  mpi::check(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, leaders_.get()),
             "MPI_Gather");
  std::erase_if(all, [](const HostRate& one) { return one.rate_op_s <= 0; });
  return all;
}

}  // namespace steelyard::measure
