// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <set>
#include <sstream>

#include "campaign/resume.hpp"
#include "campaign/runner.hpp"
#include "record/file.hpp"

namespace steelyard::campaign {
namespace {

// A plan is shrunk to the budget: no block starts after it, the running one may exceed it by this share.
// Starting the processes, the last records and the report are to fit into a tenth with it.
constexpr double budget_grace = 0.05;
constexpr double between_ticks_s = 1;
constexpr int exit_code_of_judgement = 3;

StopRules stop_rules(const RunOptions& options, bool root) {
  if (!root) return {};
  StopRules rules{options.stop_file, options.deadline_unix_s, {}};
  if (options.budget) rules.budget_s = options.budget->value() * (1 + budget_grace);
  return rules;
}

/// Broadcasts the keys that rank 0 keeps.
std::set<std::string> share_keys(const mpi::Communicator& world, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += key + "\n";
  std::istringstream lines(world.broadcast(text));
  std::set<std::string> shared;
  for (std::string key; std::getline(lines, key);) shared.insert(key);
  return shared;
}

bool may_give_way(const suites::BlockPlan& block) {
  return std::ranges::any_of(block.points, &suites::PointPlan::gives_way);
}

/// Block of a suite that is late, without the points that may give way.
suites::BlockPlan hurried(suites::BlockPlan block) {
  for (suites::PointPlan& point : block.points) {
    if (!point.gives_way || point.skip) continue;
    point.skip = record::ReasonCode::time;
    point.skip_text = "left out as its suite took longer than expected";
  }
  return block;
}

/// Block with the kept points marked: points that are not measured now must not be opened.
suites::BlockPlan without(suites::BlockPlan block, const RemainingWork& remaining) {
  for (suites::PointPlan& point : block.points)
    if (point.measurable() && remaining.kept(point)) point.kept = true;
  return block;
}

/// True if its own schedule prescribes how long it takes.
bool is_prescribed(const suites::BlockPlan& block) {
  return std::ranges::any_of(block.points, [](const auto& point) { return point.prescribed_s.has_value(); });
}

}  // namespace

Campaign::Campaign(const mpi::Communicator& world, const Plan& plan, const RunOptions& options,
                   const Outputs& outputs, const std::optional<ResumeState>& resume)
    : world_(world),
      plan_(plan),
      options_(options),
      outputs_(world.is_root() ? outputs : Outputs{}),
      resume_(resume && world.is_root() ? *resume : ResumeState{}),
      watch_(stop_rules(options, world.is_root())),
      remaining_(plan, measuring_rule(options, plan), share_keys(world, resume_.keep)),
      recorder_(outputs_, options.anonymous, resume_.points, resume_.events),
      reporter_(outputs_.progress, plan, remaining_, options.before.value()),
      teams_(world),
      quiet_left_s_(options.wait_quiet.value_or(Seconds{0}).value()) {}

RunResult Campaign::run() {
  start();
  Order order;
  for (std::size_t block = 0; block < plan_.blocks.size(); ++block) {
    order = agree(block);
    if (order.cause != StopCause::none) break;
    run_block(block, order);
  }
  if (order.cause == StopCause::none) order = agree(plan_.blocks.size());
  if (options_.measure_noise && order.cause == StopCause::none) measure_noise_at_end();
  return finish(order.cause);
}

/// Rank 0: finds a cause to end the campaign before this block.
void Campaign::decide(std::size_t next_block, StopCause signal) {
  if (recorder_.failed()) watch_.raise(StopCause::error);
  watch_.raise(signal);
  if (watch_.look() != StopCause::none || next_block >= plan_.blocks.size()) return;
  if (options_.budget && watch_.elapsed_s() >= options_.budget->value()) watch_.raise(StopCause::budget);
  const auto left = watch_.left_to_deadline_s();
  if (left && remaining_.minimum_s(next_block) > *left) watch_.raise(StopCause::deadline);
}

/// Rank 0: time for the schedules, nullopt without a limit. Schedules count timed regions and warm-up alone,
/// so the overhead seen so far is taken off in proportion.
std::optional<double> Campaign::time_to_share() const {
  std::optional<double> left = watch_.left_to_deadline_s();
  if (options_.budget) {
    const double budget = options_.budget->value() - watch_.elapsed_s();
    left = left ? std::min(*left, budget) : budget;
  }
  const measure::EngineAccount account = engine_->account();
  const double measuring = account.timed_s + account.warmup_s;
  if (left && blocks_s_ > measuring && measuring > 0) *left *= measuring / blocks_s_;
  return left;
}

Campaign::Order Campaign::agree(std::size_t next_block) {
  const auto signal = static_cast<StopCause>(world_.max(static_cast<std::int64_t>(cause_by_signal())));
  alarm_->met(next_block);
  Order order;
  if (root()) {
    decide(next_block, signal);
    const auto left = time_to_share();
    order = {watch_.cause(), left.has_value(), left.value_or(0), late(next_block)};
  }
  return world_.broadcast(order);
}

/// True if the points of a block that may give way would make its suite late, if time is limited.
bool Campaign::late(std::size_t index) const {
  if (!options_.budget || index >= plan_.blocks.size() || !may_give_way(plan_.blocks[index])) return false;
  const std::string& suite = plan_.blocks[index].suite;
  const auto spent = std::ranges::find(suite_times_, suite, &record::SuiteTime::suite);
  if (spent == suite_times_.end()) return false;
  SuiteSoFar all{.taken_s = spent->taken_s};
  for (std::size_t i = 0; i < plan_.blocks.size(); ++i) {
    const suites::BlockPlan& block = plan_.blocks[i];
    if (block.suite != suite) continue;
    const double planned_s = remaining_.minimum_s(i);
    all.planned_s += planned_s;
    if (i < index) all.planned_of_done_s += planned_s;
    if (i == index) all.next_s = planned_s;
    if (i > index && !may_give_way(block)) all.needed_s += planned_s;
  }
  return is_late(all);
}

void Campaign::run_block(std::size_t index, const Order& order) {
  const suites::BlockPlan block = order.late ? hurried(plan_.blocks[index]) : plan_.blocks[index];
  const double start = watch_.elapsed_s();
  auto measured = remaining_.to_measure(index);
  std::erase_if(measured, [&](std::size_t point) { return !block.points[point].measurable(); });
  if (root() && !measured.empty()) reporter_.block_starts(block, start);
  BlockLog log(block, remaining_, measured, frame_, recorder_, reporter_);
  hold(&log);
  if (!measured.empty()) run_with_team(index, block, order, log);
  if (root() && (measured.empty() || watch_.cause() == StopCause::none)) log.close();
  recorder_.unfinished({});
  hold(nullptr);
  const double taken_s = watch_.elapsed_s() - start;
  blocks_s_ += taken_s;
  if (!measured.empty()) note_time(index, order, taken_s);
}

/// Time for the points of a block that begins now.
Allowance Campaign::allowance(std::size_t index, const Order& order) const {
  return remaining_.allowance(index, order.limited ? std::optional(order.left_s) : std::nullopt);
}

void Campaign::note_time(std::size_t index, const Order& order, double taken_s) {
  const suites::BlockPlan& block = plan_.blocks[index];
  auto found = std::ranges::find(suite_times_, block.suite, &record::SuiteTime::suite);
  if (found == suite_times_.end()) found = suite_times_.insert(found, {block.suite, 0, 0});
  const Allowance allowed = allowance(index, order);
  const BlockTime time{expected_s(block, allowed), sum_s(block, allowed, campaign::easy_s),
                       is_prescribed(block)};
  found->taken_s += taken_s;
  found->expected_s += habits_.expected_s(block.suite, time);
  habits_.finished(block.suite, time, taken_s);
}

void Campaign::run_with_team(std::size_t index, const suites::BlockPlan& planned, const Order& order,
                             BlockLog& log) {
  if (stopped_before_quiet()) return;
  const suites::BlockPlan block = without(planned, remaining_);
  const Allowance allowance = this->allowance(index, order);
  const measure::Team& team = teams_.of(block);
  if (watchdog_)
    watchdog_->watch(block.suite + "/" + block.benchmark,
                     with_repetitions_s(block, expected_s(block, allowance), options_.confirm));
  if (block.suite != keeps_for_) kept_.release();
  keeps_for_ = block.suite;
  if (team.takes_part()) measure_block(team, block, allowance, log);
  if (block.processes * block.groups < world_.size()) meet();
  // all have to come to the next block
  if (watchdog_) watchdog_->watch("what follows " + block.suite + "/" + block.benchmark, 0);
  if (root()) tell(engine_->take_notices());
}

/// Sets the log of the block in flight; nullptr between blocks.
void Campaign::hold(BlockLog* log) {
  const auto alone = recorder_.alone();
  if (in_flight_ != nullptr) recorded_ += in_flight_->recorded();
  in_flight_ = log;
}

/// Measures a block. Tasks left out after an MPI error are measured with new communicators, unless they
/// belong to the experiment that has failed.
void Campaign::measure_block(const measure::Team& team, suites::BlockPlan block, const Allowance& allowance,
                             BlockLog& log) {
  const BlockRunner::Context context{&plan_,
                                     &options_,
                                     instruments_.figures(),
                                     engine_.get(),
                                     plan_.memory_byte > 0 ? plan_.memory_byte : surroundings_.memory_byte,
                                     [this] { return watch_.elapsed_s(); },
                                     &kept_,
                                     resume_.points,
                                     [this] { alarm_->met(); },
                                     [this](const auto& table) { recorder_.table(table); }};
  std::vector<std::size_t> tasks(log.tasks());
  std::iota(tasks.begin(), tasks.end(), std::size_t{0});
  bool failed = false;
  for (bool spoilt = true; spoilt && !tasks.empty();) {
    if (failed) kept_.release();  // messages in flight may still arrive
    BlockRunner runner(context, block, teams_, team, allowance, tasks, log);
    running_ = &runner;
    runner.run();
    page_watch_.look(watch_.elapsed_s());
    running_ = nullptr;
    if (root()) {
      for (const record::TableRecord& table : runner.tables()) recorder_.table(table);
      tell(runner.notices());
    }
    spoilt = runner.spoilt();
    failed = failed || spoilt;
    tasks = runner.left_out();
    log.keep_all_but(tasks, block);
    if (spoilt) teams_.renew();
    if (spoilt && block.indivisible) {
      if (root()) log.fail_alike(tasks, watch_.elapsed_s());
      tasks.clear();
    }
  }
  if (failed) kept_.release();
}

/// Brings together, once per block, the processes that measured and those that waited.
void Campaign::meet() const {
  if (options_.sleep_idle)
    world_.sleepy_barrier();
  else
    world_.barrier();
}

double Campaign::expected_s(const suites::BlockPlan& block, const Allowance& allowance) const {
  return sum_s(block, allowance, campaign::expected_s);
}

/// Sum over the points that are measured.
double Campaign::sum_s(const suites::BlockPlan& block, const Allowance& allowance, PointTime of_point) const {
  const MeasuringRule rule = measuring_rule(options_, plan_);
  double sum = 0;
  for (const suites::PointPlan& point : block.points)
    if (point.measurable() && !remaining_.kept(point)) sum += of_point(point, allowance, rule);
  return sum;
}

/// Waits for other work to end, if that is asked for. Returns true if a stop came first.
bool Campaign::stopped_before_quiet() {
  if (quiet_left_s_ <= 0) return false;
  rest();
  const auto waited = wait_until_quiet(world_, quiet_left_s_, [this] { return stop_request(); });
  quiet_left_s_ -= waited.seconds;
  if (root() && waited.seconds > 0) tell_wait(waited.seconds);
  return waited.stopped;
}

void Campaign::tell_wait(double seconds) {
  recorder_.event({record::Severity::info, "busy_neighbours",
                   "waited " + std::to_string(seconds) + " s for other work to end"});
}

void Campaign::tell(const std::vector<measure::EngineNotice>& notices) {
  for (const measure::EngineNotice& notice : notices)
    recorder_.event({record::Severity::warning, notice.code, notice.text});
}

/// Asked by the engine on rank 0 between batches.
bool Campaign::stop_request() {
  if (recorder_.failed()) watch_.raise(StopCause::error);
  const double now = watch_.elapsed_s();
  if (now - last_tick_s_ >= between_ticks_s) {
    reporter_.tick(now, running_ != nullptr ? running_->stage() : std::nullopt);
    last_tick_s_ = now;
  }
  return watch_.look() != StopCause::none;
}

record::Counts Campaign::final_counts() const {
  record::Counts counts = recorder_.counts();
  const std::size_t done = recorded_ + remaining_.points_kept();
  counts.left = static_cast<std::int64_t>(plan_.points() - std::min(done, plan_.points()));
  return counts;
}

/// True if nothing is left for a resume.

double Campaign::engine_ratio() const {
  const measure::EngineAccount account = engine_->account();
  const double measuring = account.timed_s + account.warmup_s + noise_s_;
  return std::clamp(1 - measuring / std::max(watch_.elapsed_s(), 1e-9), 0.0, 1.0);
}

/// Exit code; a warning, a verdict or a rule of the caller's changes it only if the options ask for that.
int Campaign::code_after(StopCause cause) const {
  const int code = exit_code(final_counts(), text(cause));
  const bool ended_by_itself = cause == StopCause::none || cause == StopCause::budget;
  if (options_.is_success && ended_by_itself && !options_.is_success()) return 1;
  const bool judged =
      (options_.fail_on_warning && recorder_.warnings().count() > 0) ||
      std::ranges::any_of(options_.fail_on, [&](const auto& word) { return recorder_.has_verdict(word); });
  return code == 0 && judged ? exit_code_of_judgement : code;
}

/// Rank 0: writes the last records and returns the result of the run.
RunResult Campaign::conclude(StopCause& cause) {
  rest();
  RunResult result;
  result.counts = final_counts();
  // a stop that came after everything was measured is none
  if (all_done() && cause != StopCause::error) cause = StopCause::none;
  reporter_.clear();
  tell_stop(cause);
  if (options_.clear_up)
    for (const record::EventRecord& event : options_.clear_up()) recorder_.event(event);
  recorder_.summaries();
  recorder_.end(end_record(text(cause), code_after(cause)));
  if (recorder_.failed()) cause = StopCause::error;
  result.exit_code = code_after(cause);
  result.engine_ratio = engine_ratio();
  result.suites = suite_times_;
  result.warnings = recorder_.warnings();
  return result;
}

RunResult Campaign::finish(StopCause cause) {
  RunResult result;
  if (const auto drift = judge_counter(world_, instruments_)) recorder_.event(*drift);
  if (const auto step = judge_steps(world_, instruments_)) recorder_.event(*step);
  tell_disturbances();
  if (root()) result = conclude(cause);
  result.counts = world_.broadcast(result.counts);
  result.exit_code = world_.broadcast(result.exit_code);
  result.engine_ratio = world_.broadcast(result.engine_ratio);
  result.stop_cause = text(world_.broadcast(cause));
  return result;
}

RunResult run(const mpi::Communicator& world, const Plan& plan, const RunOptions& options,
              const Outputs& outputs, const std::optional<ResumeState>& resume) {
  Campaign campaign(world, plan, options, outputs, resume);
  try {
    return campaign.run();
  } catch (const std::exception& error) {
    campaign.lost(error);
    throw;
  }
}

}  // namespace steelyard::campaign
