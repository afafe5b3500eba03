// SPDX-License-Identifier: Apache-2.0
#include "tests/scale/measured.hpp"

#include <utility>

#include "measure/wtime.hpp"

namespace steelyard::scale {
namespace {

measure::EngineOptions options() {
  measure::EngineOptions options;
  options.probe_states = false;
  return options;
}

record::PointRecord frame(const suites::BlockPlan& block, std::size_t point,
                          const measure::Outcome& outcome) {
  record::PointRecord base;
  base.key = block.points[point].key;
  base.suite = block.suite;
  base.benchmark = block.benchmark;
  base.processes = block.processes;
  base.params = block.points[point].params;
  base.status = outcome.status;
  base.reason = outcome.reason;
  base.schedule = outcome.schedule;
  base.check = outcome.check;
  if (outcome.check) base.verified = outcome.check->errors == 0;
  return base;
}

}  // namespace

Instruments::Instruments()
    : timer_(measure::make_any_timer(measure::ClockKind::mpi)), engine_(*timer_.timer, options()) {}

measure::Team whole_world() {
  const auto world = mpi::Communicator::world();
  measure::Team team;
  team.active = world.duplicate();
  team.group = world.duplicate();
  return team;
}

std::vector<record::PointRecord> measured(const suites::Suite& suite, const suites::BlockPlan& block,
                                          const measure::Schedule* schedule, const Tables& tables) {
  const measure::Team team = whole_world();
  suites::SessionContext context;
  context.team = &team;
  context.memory_byte = std::int64_t{1} << 30;
  context.schedule = schedule;
  context.table = tables;
  const auto session = suite.open(block, context);
  const auto tasks = session->tasks();
  Instruments instruments;
  std::vector<record::PointRecord> records;
  instruments.engine().measure(team, tasks, [&](std::size_t point, const measure::Outcome& outcome) {
    for (auto& one : session->records(point, outcome, frame(block, point, outcome)))
      records.push_back(std::move(one));
  });
  return records;
}

}  // namespace steelyard::scale
