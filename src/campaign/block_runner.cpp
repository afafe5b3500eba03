// SPDX-License-Identifier: Apache-2.0
#include "campaign/block_runner.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace steelyard::campaign {

BlockRunner::BlockRunner(const Context& context, const suites::BlockPlan& block, const Teams& teams,
                         const measure::Team& team, const Allowance& allowance,
                         std::vector<std::size_t> tasks, BlockLog& log)
    : context_(context),
      block_(block),
      teams_(teams),
      team_(team),
      allowance_(allowance),
      numbers_(std::move(tasks)),
      log_(log) {
  for (const suites::PointPlan& point : block.points)
    if (point.measurable())
      own_.push_back(make_schedule(*context.options, *context.plan, context.clock, point.bytes,
                                   allowance.point_s(point)));
  common_ =
      make_schedule(*context.options, *context.plan, context.clock, 0, context.plan->point_budget.value());
}

void BlockRunner::run() {
  const measure::Failure failure = measure::agree(team_.active, open());
  if (context_.met) context_.met();
  if (failure) {
    spoilt_ = failure->code == record::ReasonCode::mpi_error;
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
    session.files = &context_.options->files;
    session.stop = [engine = context_.engine] { return engine->stop_requested(); };
    session.classic_only = context_.options->classic_only;
    session.earlier = context_.earlier;
    session_ = block_.planned_by->open(block_, session);
    take_tasks();
  });
}

/// Points that follow the campaign's schedule get their own share of the time.
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
