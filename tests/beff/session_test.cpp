// SPDX-License-Identifier: Apache-2.0
// b_eff from plan to summary, at tiny lengths.
#include "suites/beff/session.hpp"

#include <gtest/gtest.h>

#include <map>

#include "analysis/beff_run.hpp"
#include "measure/engine.hpp"
#include "suites/session.hpp"

using namespace steelyard;
using namespace steelyard::beff;

namespace {

Settings tiny() {
  Settings settings = tested({});
  settings.memory_mebibyte = 1024;
  settings.longest = Bytes{16384};
  settings.loop_time_s = 2e-6;
  settings.repetitions = 2;
  settings.polygons = 1;
  settings.last_two_limit_s = 1e6;  // on a busy machine messages wait for their processes
  return settings;
}

/// Records of the whole experiment on rank 0.
std::vector<record::PointRecord> measured(const Settings& settings, const mpi::Communicator& world) {
  const auto suite = measurable_suite(settings);
  const std::string names[] = {std::string(benchmark_name)};
  const auto block = suite->plan(names, world.size()).front();
  measure::Team team;
  team.active = world.duplicate();
  team.group = world.duplicate();
  suites::SessionContext context;
  context.team = &team;
  const auto session = suite->open(block, context);
  const auto chosen = measure::make_timer(measure::ClockKind::mono);
  measure::EngineOptions options;
  options.probe_states = false;
  measure::Engine engine(*chosen.timer, options);
  std::vector<record::PointRecord> records;
  const auto tasks = session->tasks();
  engine.measure(team, tasks, [&](std::size_t i, measure::Outcome outcome) {
    record::PointRecord base;
    base.key = block.points[i].key;
    base.suite = block.suite;
    base.benchmark = block.benchmark;
    base.processes = world.size();
    base.params = block.points[i].params;
    base.status = outcome.status;
    if (outcome.check) base.verified = outcome.check->errors == 0;
    for (auto& one : session->records(i, outcome, base)) records.push_back(std::move(one));
  });
  return records;
}

}  // namespace

TEST(beff_session, measures_every_loop_and_finds_no_wrong_byte) {
  const auto world = mpi::Communicator::world();
  const auto settings = tiny();
  const auto records = measured(settings, world);
  if (!world.is_root()) return;
  const PatternTable table(world.size(), {.seed = settings.seed, .polygons = settings.polygons});
  EXPECT_EQ(records.size(), places(table, settings).size());
  for (const auto& record : records) {
    ASSERT_EQ(record.status, record::Status::ok) << record.key;
    ASSERT_EQ(record.verified, true) << record.key;
    const auto* repetitions = std::get_if<std::vector<double>>(record::find(record.classic, "repetition"));
    ASSERT_NE(repetitions, nullptr);
    ASSERT_EQ(static_cast<int>(repetitions->size()), settings.repetitions) << record.key;
  }
}

TEST(beff_session, records_give_an_effective_bandwidth) {
  const auto world = mpi::Communicator::world();
  const auto records = measured(tiny(), world);
  if (!world.is_root()) return;
  const analysis::BeffRun run(records);
  ASSERT_TRUE(run.b_eff().has_value());
  EXPECT_GT(*run.b_eff(), 0);
  EXPECT_EQ(run.verified(), true);
  ASSERT_TRUE(run.derived().pingpong_latency_s.has_value());
  EXPECT_GT(*run.derived().pingpong_latency_s, 0);
}

TEST(beff_session, shortened_lengths_are_told_as_skipped) {
  const auto world = mpi::Communicator::world();
  auto settings = tiny();
  settings.last_two_limit_s = 1e-9;
  const auto records = measured(settings, world);
  if (!world.is_root()) return;
  // A method is left out unless it was the best of its pattern in some repetition; one of the three always
  // is.
  const auto last = message_lengths(longest(settings)).end()[-2].count();
  std::map<std::pair<std::int64_t, std::int64_t>, int> measured_methods;
  std::size_t skipped = 0;
  for (const auto& record : records) {
    const auto bytes = std::get<std::int64_t>(record.params.at("message_byte"));
    const auto pattern = std::get<std::int64_t>(record.params.at("pattern"));
    const bool left_out = record.status == record::Status::skipped;
    EXPECT_TRUE(!left_out || bytes >= last) << record.key;
    skipped += left_out ? 1 : 0;
    measured_methods[{pattern, bytes}] += left_out ? 0 : 1;
  }
  EXPECT_GT(skipped, 0U);
  for (const auto& [where, methods_left] : measured_methods) EXPECT_GE(methods_left, 1) << where.first;
}
