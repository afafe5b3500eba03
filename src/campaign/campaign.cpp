// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

#include "campaign/counts.hpp"
#include "campaign/quiet.hpp"
#include "campaign/signals.hpp"
#include "record/file.hpp"

namespace steelyard::campaign {
namespace {

// A budget is what a plan is shrunk to: no block starts after it, the one that runs may exceed it by this
// share. Starting the processes, the last records and the report are to fit into a tenth with it.
constexpr double budget_grace = 0.05;
constexpr double between_ticks_s = 1;

StopRules stop_rules(const RunOptions& options, bool root) {
  if (!root) return {};
  StopRules rules{options.stop_file, options.deadline_unix_s, {}};
  if (options.budget) rules.budget_s = options.budget->value() * (1 + budget_grace);
  return rules;
}

/// Keys that rank 0 keeps, on all ranks.
std::set<std::string> share_keys(const mpi::Communicator& world, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += key + "\n";
  std::istringstream lines(world.broadcast(text));
  std::set<std::string> shared;
  for (std::string key; std::getline(lines, key);) shared.insert(key);
  return shared;
}

/// What is not measured now must not be opened.
suites::BlockPlan without(suites::BlockPlan block, const Course& course) {
  for (suites::PointPlan& point : block.points)
    if (point.measurable() && course.kept(point)) point.kept = true;
  return block;
}

}  // namespace

Campaign::Campaign(const mpi::Communicator& world, const Plan& plan, SuiteList suites,
                   const RunOptions& options, const Outputs& outputs,
                   const std::optional<ResumeState>& resume)
    : world_(world),
      plan_(plan),
      suites_(suites),
      options_(options),
      outputs_(world.is_root() ? outputs : Outputs{}),
      resume_(resume && world.is_root() ? *resume : ResumeState{}),
      watch_(stop_rules(options, world.is_root())),
      course_(plan, measuring_rule(options, plan), share_keys(world, resume_.keep)),
      recorder_(outputs_, resume_.kept, options.anonymous, resume_.points),
      reporter_(outputs_.progress, plan, course_),
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

const suites::MeasurableSuite& Campaign::suite(const std::string& name) const {
  const auto found =
      std::ranges::find_if(suites_, [&](const suites::MeasurableSuite* one) { return one->name() == name; });
  if (found == suites_.end()) throw std::invalid_argument("no measurable suite is called " + name);
  return **found;
}

/// Rank 0: what ends the campaign before this block.
void Campaign::decide(std::size_t next_block, bool signal) {
  if (recorder_.failed()) watch_.raise(StopCause::error);
  if (signal) watch_.raise(StopCause::signal);
  if (watch_.look() != StopCause::none || next_block >= plan_.blocks.size()) return;
  if (options_.budget && watch_.elapsed_s() >= options_.budget->value()) watch_.raise(StopCause::budget);
  const auto left = watch_.left_to_deadline_s();
  if (left && course_.minimum_s(next_block) > *left) watch_.raise(StopCause::deadline);
}

/// Rank 0: time for the schedules. They count timed regions and warm-up alone, so what was seen to come on
/// top is taken off.
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
  const bool signal = world_.any(stop_signal_seen());
  Order order;
  if (root()) {
    decide(next_block, signal);
    const auto left = time_to_share();
    order = {watch_.cause(), left.has_value(), left.value_or(0)};
  }
  return world_.broadcast(order);
}

void Campaign::run_block(std::size_t index, const Order& order) {
  const suites::BlockPlan& block = plan_.blocks[index];
  const double start = watch_.elapsed_s();
  if (root()) reporter_.block_starts(block, start);
  const auto measured = course_.to_measure(index);
  BlockLog log(block, course_, measured, frame_, recorder_, reporter_);
  if (!measured.empty()) run_with_team(index, order, log);
  if (root() && (measured.empty() || watch_.cause() == StopCause::none)) log.close();
  recorded_ += log.recorded();
  blocks_s_ += watch_.elapsed_s() - start;
}

void Campaign::run_with_team(std::size_t index, const Order& order, BlockLog& log) {
  wait_until_quiet();
  const suites::BlockPlan block = without(plan_.blocks[index], course_);
  const Allowance allowance =
      course_.allowance(index, order.limited ? std::optional(order.left_s) : std::nullopt);
  const measure::Team& team = teams_.of(block);
  if (watchdog_) watchdog_->watch(block.suite + "/" + block.benchmark, expected_s(block));
  if (team.takes_part()) {
    const BlockRunner::Context context{&plan_,
                                       &options_,
                                       instruments_.figures(),
                                       engine_.get(),
                                       plan_.memory_byte > 0 ? plan_.memory_byte : surroundings_.memory_byte,
                                       [this] { return watch_.elapsed_s(); },
                                       resume_.points};
    BlockRunner runner(context, block, team, allowance, log);
    running_ = &runner;
    runner.run(suite(block.suite));
    running_ = nullptr;
    if (root()) tell(runner.notices());
  }
  if (block.processes * block.groups < world_.size()) meet();
  // to the next block all have to come
  if (watchdog_) watchdog_->watch("what follows " + block.suite + "/" + block.benchmark, 0);
  if (root()) tell(engine_->take_notices());
}

/// Once per block: those who measured come to those who waited.
void Campaign::meet() const {
  if (options_.sleep_idle)
    world_.sleepy_barrier();
  else
    world_.barrier();
}

double Campaign::expected_s(const suites::BlockPlan& block) const {
  double sum = 0;
  for (const suites::PointPlan& point : block.points) sum += course_.expected_s(point);
  return sum;
}

void Campaign::rest() {
  if (watchdog_) watchdog_->rest();
}

void Campaign::wait_until_quiet() {
  if (quiet_left_s_ <= 0) return;
  rest();
  const double waited = campaign::wait_until_quiet(world_, quiet_left_s_);
  quiet_left_s_ -= waited;
  if (!root() || waited <= 0) return;
  recorder_.event({record::Severity::info,
                   "busy_neighbours",
                   "waited " + std::to_string(waited) + " s for other work to end",
                   {},
                   {}});
}

void Campaign::tell(const std::vector<measure::EngineNotice>& notices) {
  for (const measure::EngineNotice& notice : notices)
    recorder_.event({record::Severity::warning, notice.code, notice.text, {}, {}});
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
  const std::size_t done = recorded_ + course_.points_kept();
  counts.left = static_cast<std::int64_t>(plan_.points() - std::min(done, plan_.points()));
  return counts;
}

/// Nothing is left for a resume.
bool Campaign::all_done() const {
  return final_counts().left == 0 && !recorder_.interrupted();
}

double Campaign::engine_ratio() const {
  const measure::EngineAccount account = engine_->account();
  const double measuring = account.timed_s + account.warmup_s + noise_s_;
  return std::clamp(1 - measuring / std::max(watch_.elapsed_s(), 1e-9), 0.0, 1.0);
}

/// Rank 0: last records and what the run comes to.
RunResult Campaign::conclude(StopCause& cause) {
  rest();
  RunResult result;
  result.counts = final_counts();
  // a stop that came when everything was measured is none
  if (all_done() && cause != StopCause::error) cause = StopCause::none;
  reporter_.clear();
  tell_stop(cause);
  if (options_.clear_up)
    for (const record::EventRecord& event : options_.clear_up()) recorder_.event(event);
  recorder_.summaries();
  recorder_.end(end_record(text(cause), exit_code(result.counts, text(cause))));
  if (recorder_.failed()) cause = StopCause::error;
  result.exit_code = exit_code(result.counts, text(cause));
  result.engine_ratio = engine_ratio();
  return result;
}

RunResult Campaign::finish(StopCause cause) {
  RunResult result;
  if (const auto drift = judge_counter(world_, instruments_)) recorder_.event(*drift);
  if (root()) result = conclude(cause);
  result.counts = world_.broadcast(result.counts);
  result.exit_code = world_.broadcast(result.exit_code);
  result.engine_ratio = world_.broadcast(result.engine_ratio);
  result.stop_cause = text(world_.broadcast(cause));
  return result;
}

}  // namespace steelyard::campaign
