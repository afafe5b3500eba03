// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/session.hpp"

#include "suites/hpcc/hosts.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

}  // namespace

measure::Decision OncePerPass::next(const measure::History& history) const {
  if (history.stop_requested) return measure::Stop{measure::StopReason::interrupted};
  if (history.visits > 0) return measure::Stop{measure::StopReason::count};
  return measure::Visit{.warmup = 0, .ops_per_batch = 1, .batches = 1};
}

HpccSession::HpccSession(const Settings& settings, const suites::BlockPlan& block,
                         const suites::SessionContext& context)
    : settings_(settings),
      frame_{&settings_, &context.team->active, single_rank(settings, context.team->active.size()),
             context.stop},
      verify_(context.verify) {
  std::vector<PointSpec> measured;
  for (const auto& point : block.points) {
    experiment_of_.push_back(point.measurable() ? measured.size() : none);
    if (point.measurable()) measured.push_back(point.spec<PointSpec>());
  }
  experiments_ = make_experiments(frame_, measured);
}

std::vector<measure::Task> HpccSession::tasks() {
  std::vector<measure::Task> tasks;
  for (const auto& experiment : experiments_) tasks.push_back(task(*experiment));
  return tasks;
}

measure::Task HpccSession::task(Experiment& experiment) const {
  const auto mode = experiment.spec().benchmark.mode;
  measure::Task task;
  task.traits.timing = measure::Timing::whole;
  if (mode == Mode::single) {
    task.traits.over_ranks = measure::OverRanks::one;
    task.traits.owns_result = frame_.computes(mode);
  }
  task.traits.by_host = mode == Mode::star;
  task.schedule = &schedule_;
  task.passes = experiment.passes();
  task.placements = experiment.placements();
  task.open = [&experiment](int) { return experiment.open(); };
  task.verify_repetitions = verify_ ? 1 : 0;
  task.operation = std::string(experiment.spec().benchmark.name);
  return task;
}

std::optional<suites::Stage> HpccSession::stage() const {
  for (const auto& experiment : experiments_)
    if (auto stage = experiment->progress()) return stage;
  return std::nullopt;
}

std::vector<record::PointRecord> HpccSession::records(std::size_t point, const measure::Outcome& outcome,
                                                      record::PointRecord base) {
  base.classic.emplace_back("Sy_run", std::string(text(settings_.form)));
  const auto& experiment = *experiments_.at(experiment_of_.at(point));
  experiment.describe(outcome, base);
  put_hosts(outcome, experiment.spec(), base);
  if (auto notice = experiment.notice(base)) notices_.push_back(std::move(*notice));
  return {std::move(base)};
}

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, HpccSession>>(as_built(settings));
}

}  // namespace steelyard::hpcc
