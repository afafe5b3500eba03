// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measure/engine.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/session.hpp"

/// Blocks of messages on an engine, from plan to records.
namespace steelyard::imb::test {

using record::PointRecord;

inline measure::Team make_team(const suites::BlockPlan& block) {
  const auto world = mpi::Communicator::world();
  int place = world.rank();
  for (std::size_t i = 0; i < block.rank_order.size(); ++i)
    if (block.rank_order[i] == world.rank()) place = static_cast<int>(i);
  const bool active = place < block.processes * block.groups;
  measure::Team team;
  team.active = world.split(active ? 0 : -1, place);
  team.groups = block.groups;
  team.index = active ? place / block.processes : 0;
  team.group = world.split(active ? team.index : -1, place);
  return team;
}

inline PointRecord base_of(const suites::BlockPlan& block, const suites::PointPlan& point,
                           const measure::Outcome& outcome) {
  PointRecord base;
  base.key = point.key;
  base.suite = block.suite;
  base.benchmark = block.benchmark;
  base.processes = block.processes;
  base.groups = block.groups;
  base.params = point.params;
  base.status = outcome.status;
  base.reason = outcome.reason;
  base.schedule = outcome.schedule;
  base.check = outcome.check;
  return base;
}

/// Clock and engine of one test.
struct Instruments {
  measure::ChosenTimer timer = measure::make_timer(measure::ClockKind::mono);
  measure::Engine engine{*timer.timer, options()};

  static measure::EngineOptions options() {
    measure::EngineOptions options;
    options.probe_states = false;
    return options;
  }
};

/// Records of one block on rank 0.
inline std::vector<PointRecord> measure_block(const suites::Suite& suite, const suites::BlockPlan& block,
                                              const measure::Schedule* schedule, Instruments& instruments) {
  const auto team = make_team(block);
  std::vector<PointRecord> records;
  if (!team.takes_part()) return records;
  const suites::SessionContext context{
      .team = &team, .memory_byte = std::int64_t{1} << 30, .clock = {}, .schedule = schedule};
  const auto session = suite.open(block, context);
  const auto tasks = session->tasks();
  instruments.engine.measure(team, tasks, [&](std::size_t task, const measure::Outcome& outcome) {
    for (auto& one : session->records(task, outcome, base_of(block, block.points[task], outcome)))
      records.push_back(std::move(one));
  });
  return records;
}

inline double classic(const PointRecord& record, std::string_view name) {
  const auto* value = record::find(record.classic, name);
  return value == nullptr ? -1 : record::number(*value);
}

}  // namespace steelyard::imb::test
