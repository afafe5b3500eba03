// SPDX-License-Identifier: Apache-2.0
#include "campaign/block_runner.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "record/point_view.hpp"

namespace steelyard::campaign {
namespace {

/// This rank's place among the renumbered ranks.
int place_of(int rank, const std::vector<int>& order) {
  if (order.empty()) return rank;
  const auto found = std::ranges::find(order, rank);
  return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

constexpr int most_listed_ranks = 64;

std::vector<std::vector<int>> ranks_of_groups(const suites::BlockPlan& block) {
  std::vector<std::vector<int>> groups;
  if (block.processes * block.groups > most_listed_ranks) return groups;
  for (int g = 0; g < block.groups; ++g) {
    groups.emplace_back();
    for (int i = 0; i < block.processes; ++i)
      groups.back().push_back(world_rank(block, g * block.processes + i));
  }
  return groups;
}

/// Replaces the rank of the first error, which the block's own processes have numbered, by that in the world.
void name_rank_of_world(const suites::BlockPlan& block, record::Document& first) {
  if (first.empty() || !first.json().contains("rank")) return;
  record::Json& rank = first.json()["rank"];
  rank = world_rank(block, rank.get<int>());
}

void keep_first_of_each(std::vector<std::string>& words) {
  std::vector<std::string> once;
  for (std::string& word : words)
    if (std::ranges::find(once, word) == once.end()) once.push_back(std::move(word));
  words = std::move(once);
}

std::optional<std::int64_t> if_known(std::int64_t bytes) {
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

bool was_interrupted(const measure::Outcome& outcome) {
  return outcome.reason && outcome.reason->code == record::ReasonCode::interrupted;
}

double spent_s(const measure::Outcome& outcome) {
  return outcome.timed_s + outcome.warmup_s + outcome.overhead_s;
}

constexpr std::uint64_t default_warmup = 2;
// Below this no visit of a point makes sense; a campaign out of time ends instead.
constexpr double least_allowance_s = 1e-3;

measure::AdaptiveRule adaptive_rule(const RunOptions& options, const Plan& plan,
                                    const measure::ClockFigures& clock, std::int64_t message_byte,
                                    double allowed_s) {
  measure::AdaptiveRule rule;
  rule.half_width = options.half_width;
  rule.point_budget = Seconds{std::max(allowed_s, least_allowance_s)};
  rule.min_batches = options.min_batches;
  rule.max_batches = options.max_batches;
  rule.min_visits = plan.min_visits;
  rule.clock = clock;
  rule.message_byte = message_byte;
  if (options.schedule == ScheduleKind::timed) {
    rule.run_for = options.timed_for;
    rule.point_budget = std::max(rule.point_budget, options.timed_for);
  }
  return rule;
}

/// Campaign's own schedule of a point that may measure for allowed_s; nullptr if the suites' own rules are used.
std::unique_ptr<measure::Schedule> make_schedule(const RunOptions& options, const Plan& plan,
                                                 const measure::ClockFigures& clock,
                                                 std::int64_t message_byte, double allowed_s) {
  switch (options.schedule) {
    case ScheduleKind::fixed:
      return measure::fixed_schedule(options.fixed_operations, options.warm_up.value_or(default_warmup));
    case ScheduleKind::adaptive:
    case ScheduleKind::timed:
      return measure::adaptive_schedule(adaptive_rule(options, plan, clock, message_byte, allowed_s));
    case ScheduleKind::suite: break;
  }
  return nullptr;
}

}  // namespace

measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block) {
  const int place = place_of(world.rank(), block.rank_order);
  const bool takes_part = place >= 0 && place < block.processes * block.groups;
  measure::Team team;
  team.groups = block.groups;
  team.active = world.split(takes_part ? 0 : -1, std::max(place, 0));
  if (!takes_part) return team;
  team.index = place / block.processes;
  team.group = team.active.split(team.index, place);
  return team;
}

const measure::Team& Teams::of(const suites::BlockPlan& block) {
  const Shape shape{block.processes, block.groups, block.rank_order};
  if (!team_ || shape != shape_) {
    team_.reset();
    team_ = make_team(world_, block);
    shape_ = shape;
    measured_ = measured_team();
  }
  return *team_;
}

measure::Team Teams::measured_team() const {
  measure::Team team;
  team.groups = team_->groups;
  team.index = team_->index;
  if (!team_->takes_part()) return team;
  team.active = team_->active.duplicate();
  team.group = team.active.split(team_->index, team_->active.rank());
  return team;
}

int world_rank(const suites::BlockPlan& block, int active_rank) {
  const auto place = static_cast<std::size_t>(active_rank);
  return place < block.rank_order.size() ? block.rank_order[place] : active_rank;
}

BlockLog::BlockLog(const suites::BlockPlan& block, const RemainingWork& remaining,
                   std::vector<std::size_t> measured, const PointFrame& frame, Recorder& recorder,
                   Reporter& reporter)
    : block_(block),
      remaining_(remaining),
      measured_(std::move(measured)),
      frame_(frame),
      recorder_(recorder),
      reporter_(reporter) {
  for (const std::size_t index : measured_)
    seen_.push_back({series_of(block.points[index]), block.points[index].bytes, std::nullopt, false});
  recorder_.begin_block();
}

record::PointRecord BlockLog::base(const suites::PointPlan& point) const {
  record::PointRecord record;
  record.key = point.key;
  record.suite = block_.suite;
  record.benchmark = point.benchmark.empty() ? block_.benchmark : point.benchmark;
  record.processes = block_.processes;
  record.threads = frame_.threads;
  record.groups = block_.groups;
  record.group_ranks = ranks_of_groups(block_);
  record.params = point.params;
  return record;
}

record::PointRecord BlockLog::skipped(const suites::PointPlan& point) const {
  record::PointRecord record = base(point);
  record.status = record::Status::skipped;
  record::Reason reason;
  reason.code = *point.skip;
  reason.text = point.skip_text.empty() ? text(reason.code) : point.skip_text;
  reason.needed_byte = if_known(point.needed_byte);
  reason.available_byte = if_known(point.available_byte);
  record.reason = std::move(reason);
  return record;
}

void BlockLog::skip_until(std::size_t point) {
  for (; next_skipped_ < point; ++next_skipped_) {
    const suites::PointPlan& plan = block_.points[next_skipped_];
    if (!plan.skip || remaining_.kept(plan)) continue;
    if (recorder_.point(skipped(plan))) ++recorded_;
  }
}

record::PointRecord BlockLog::frame(const suites::PointPlan& point, const measure::Outcome& outcome,
                                    int tries) const {
  record::PointRecord record = base(point);
  record.status = outcome.status;
  record.reason = outcome.reason;
  if (record.reason && record.reason->rank && frame_.layout != nullptr)
    record.reason->host = frame_.layout->host_of(*record.reason->rank);
  record.schedule = outcome.schedule;
  record.schedule->tries = tries;
  record.states = outcome.states;
  record.check = outcome.check;
  if (outcome.check) name_rank_of_world(block_, record.check->first);
  if (outcome.check) record.verified = outcome.check->errors == 0;
  record.disturbed_share = outcome.disturbed_share;
  record.preempted_s = outcome.preempted_s;
  record.late_share = outcome.late_share;
  record.flags = outcome.flags;
  if (frame_.oversubscribed) record.flags.emplace_back("oversubscribed");
  if (!point.doubt.empty()) {
    record.flags.emplace_back("not_representative");
    record.classic.emplace_back("condition", point.doubt);
  }
  if (!point.expectation.empty()) record.classic.emplace_back("expectation", point.expectation);
  record.slowest_rank = world_rank(block_, outcome.classic.slowest_rank);
  return record;
}

std::vector<record::PointRecord> BlockLog::records_of(std::size_t task, const measure::Outcome& outcome,
                                                      suites::Session& session, int tries) const {
  record::PointRecord record = frame(point_of(task), outcome, tries);
  if (outcome.status == record::Status::failed && record.reason)
    record.reason->text += session.advice(*record.reason);
  if (outcome.status == record::Status::failed || outcome.status == record::Status::skipped) return {record};
  try {
    auto records = session.records(measured_[task], outcome, record);
    for (record::PointRecord& one : records) {
      keep_first_of_each(one.flags);
      if (one.slowest_rank && frame_.layout != nullptr)
        one.slowest_host = frame_.layout->host_of(*one.slowest_rank);
    }
    return records;
  } catch (const std::exception& error) {
    record.status = record::Status::failed;
    record.reason = record::Reason{record::ReasonCode::internal, error.what(), {}, {}, {}, {}, {}, {}};
    return {record};
  }
}

void BlockLog::remember(std::size_t task, const record::PointRecord& record) {
  Measured& seen = seen_[task];
  seen.noisy = has_flag(record, "noisy");
  const auto* time = record::statistics(record, "time_s");
  seen.time_s = time == nullptr ? std::nullopt : time->median;
}

void BlockLog::finished(std::size_t task, const measure::Outcome& outcome, suites::Session& session,
                        int tries, double elapsed_s) {
  if (tries == 1) skip_until(measured_[task]);
  // A repetition that was cut short tells less than the record that there is.
  if (tries > 1 && was_interrupted(outcome)) return;
  const auto records = records_of(task, outcome, session, tries);
  if (records.empty()) return;
  bool recorded = true;
  for (const record::PointRecord& record : records) recorded = recorder_.point(record) && recorded;
  remember(task, records.front());
  if (const auto& reason = outcome.reason; reason && reason->code == record::ReasonCode::mpi_error)
    first_error_ = first_error_.value_or(*reason);
  if (tries > 1) return;
  if (recorded) ++recorded_;
  reporter_.point_ends(block_, point_of(task), records.front(), spent_s(outcome), elapsed_s);
}

void BlockLog::keep(std::span<const SoFar> tasks, suites::Session& session, int tries) {
  std::vector<record::PointRecord> points;
  for (const auto& [task, outcome] : tasks)
    for (record::PointRecord& record : records_of(task, *outcome, session, tries))
      points.push_back(std::move(record));
  recorder_.unfinished(std::move(points));
}

void BlockLog::failed(std::span<const std::size_t> tasks, const record::Reason& reason, double elapsed_s) {
  for (const std::size_t task : tasks) {
    skip_until(measured_[task]);
    record::PointRecord record = base(point_of(task));
    record.status = record::Status::failed;
    record.reason = reason;
    if (recorder_.point(record)) ++recorded_;
    reporter_.point_ends(block_, point_of(task), record, remaining_.expected_s(point_of(task)), elapsed_s);
  }
}

void BlockLog::failed_in_flight(std::optional<std::size_t> task, const record::Reason& reason,
                                double elapsed_s) {
  std::vector<std::size_t> tasks;
  for (std::size_t one = 0; one < measured_.size(); ++one)
    if (const bool all = !task || block_.indivisible;
        (all || one == *task) && !recorder_.has(point_of(one).key))
      tasks.push_back(one);
  failed(tasks, reason, elapsed_s);
}

void BlockLog::keep_all_but(std::span<const std::size_t> tasks, suites::BlockPlan& block) const {
  for (std::size_t one = 0; one < measured_.size(); ++one)
    if (std::ranges::find(tasks, one) == tasks.end()) block.points[measured_[one]].kept = true;
}

void BlockLog::tell_confirmed() {
  for (const std::size_t task : suspects()) {
    const std::string& key = point_of(task).key;
    recorder_.event(
        {record::Severity::info, "outlier_confirmed", key + " stays off its neighbours", {}, key});
  }
}

MeasuringRule measuring_rule(const RunOptions& options, const Plan& plan) {
  MeasuringRule rule;
  rule.timed = options.schedule == ScheduleKind::timed;
  if (rule.timed || options.schedule == ScheduleKind::adaptive) rule.half_width = options.half_width;
  rule.min_visits = plan.min_visits;
  rule.point_limit_s = plan.point_limit.value();
  return rule;
}

double with_repetitions_s(const suites::BlockPlan& block, double expected_s, int confirm) {
  return block.indivisible ? expected_s : expected_s * (1 + confirm);
}

BlockRunner::BlockRunner(const Context& context, const suites::BlockPlan& block, const Teams& teams,
                         const measure::Team& team, const Allowance& allowance,
                         std::vector<std::size_t> tasks, BlockLog& log)
    : context_(context), block_(block), teams_(teams), team_(team), numbers_(std::move(tasks)), log_(log) {
  for (const suites::PointPlan& point : block.points)
    if (point.measurable())
      own_.push_back(
          make_schedule(*context.options, *context.plan, context.clock, point.bytes,
                        allowance.measuring_s(point, measuring_rule(*context.options, *context.plan))));
  common_ =
      make_schedule(*context.options, *context.plan, context.clock, 0, context.plan->point_budget.value());
}

void BlockRunner::run() {
  const measure::Failure failure = measure::agree(team_.active, open());
  if (context_.met) context_.met();
  if (failure) {
    spoilt_ = failure->code == record::ReasonCode::mpi_error;
    if (spoilt_) teams_.abandon();
    if (root()) log_.failed(numbers_, *failure, context_.elapsed_s());
    return;
  }
  std::vector<std::size_t> all(tasks_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const bool stopped = measure(all, 1);
  for (const std::size_t task : context_.engine->left_out()) left_out_.push_back(numbers_[task]);
  if (!stopped && !spoilt_ && !block_.indivisible) confirm();
}

measure::Failure BlockRunner::open() {
  return measure::attempt([&] {
    suites::SessionContext session;
    session.team = &teams_.measured();
    session.memory_byte = context_.memory_byte;
    session.clock = context_.clock;
    session.schedule = common_.get();
    session.how = context_.options->how;
    session.verify = context_.options->verify;
    session.kept = context_.kept;
    session.files = &context_.options->files;
    session.stop = [engine = context_.engine] { return engine->stop_requested(); };
    session.classic_only = context_.options->classic_only;
    session.earlier = context_.earlier;
    session.table = context_.table;
    session_ = block_.planned_by->open(block_, session);
    take_tasks();
  });
}

/// Takes the tasks of the session; points that follow the campaign's schedule get their own share of the time.
void BlockRunner::take_tasks() {
  tasks_ = session_->tasks();
  if (tasks_.size() != own_.size())
    throw std::logic_error(block_.suite + " made " + std::to_string(tasks_.size()) + " tasks for " +
                           std::to_string(own_.size()) + " points");
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (common_ != nullptr && tasks_[i].schedule == common_.get()) tasks_[i].schedule = own_[i].get();
}

bool BlockRunner::measure(const std::vector<std::size_t>& chosen, int tries) {
  std::vector<measure::Task> tasks;
  for (const std::size_t task : chosen) {
    tasks.push_back(tasks_[task]);
    tasks.back().number = static_cast<std::int64_t>(numbers_[task]);
  }
  const auto sink = [&](std::size_t task, const measure::Outcome& outcome) {
    log_.finished(numbers_[chosen[task]], outcome, *session_, tries, context_.elapsed_s());
  };
  const auto keep = [&](const std::vector<measure::SoFar>& points) {
    std::vector<BlockLog::SoFar> so_far;
    for (const auto& [task, outcome] : points) so_far.push_back({numbers_[chosen[task]], &outcome});
    log_.keep(so_far, *session_, tries);
  };
  const bool stopped = tries == 1 ? context_.engine->measure(team_, tasks, sink, keep)
                                  : context_.engine->measure(team_, tasks, sink);
  spoilt_ = context_.engine->spoilt();
  return stopped;
}

std::vector<std::size_t> BlockRunner::agree_on_suspects() const {
  std::vector<std::size_t> suspects;
  if (root())
    for (const std::size_t number : log_.suspects())
      if (const auto found = std::ranges::find(numbers_, number); found != numbers_.end())
        suspects.push_back(static_cast<std::size_t>(found - numbers_.begin()));
  suspects.resize(team_.active.broadcast(suspects.size()));
  team_.active.broadcast(std::span(suspects));
  return suspects;
}

void BlockRunner::confirm() {
  for (int tries = 2; tries <= context_.options->confirm + 1; ++tries) {
    const auto suspects = agree_on_suspects();
    if (suspects.empty() || measure(suspects, tries) || spoilt_) return;
  }
  if (root() && context_.options->confirm > 0) log_.tell_confirmed();
}

}  // namespace steelyard::campaign
