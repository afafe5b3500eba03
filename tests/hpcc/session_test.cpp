// SPDX-License-Identifier: Apache-2.0
// Every benchmark from plan to record, at tiny sizes.
#include "suites/hpcc/session.hpp"

#include <gtest/gtest.h>

#include <set>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "analysis/hpcc_keys.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

Settings tiny(Form form) {
  Settings settings;
  settings.form = form;
  settings.problem = {{160}, {16}, {default_grid(world().size())}};
  settings.repetitions = 2;
  settings.latency = {8, 2, 2, 2, 2, 1e-3};
  settings.bandwidth = {20'000, 1, 2, 1, 2, 1e-3};
  return settings;
}

/// Records of a benchmark on rank 0.
std::vector<record::PointRecord> measured(const Settings& settings, std::string_view benchmark) {
  const auto suite = measurable_suite(settings);
  const std::string names[] = {std::string(benchmark)};
  std::vector<record::PointRecord> records;
  for (const auto& block : suite->plan(names, world().size())) {
    measure::Team team;
    team.active = world().duplicate();
    team.group = world().duplicate();
    suites::SessionContext context;
    context.team = &team;
    const auto session = suite->open(block, context);
    const auto chosen = measure::make_timer(measure::ClockKind::mono);
    measure::EngineOptions options;
    options.probe_states = false;
    measure::Engine engine(*chosen.timer, options);
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < block.points.size(); ++i)
      if (block.points[i].skip_code.empty()) points.push_back(i);
    const auto tasks = session->tasks();
    engine.measure(team, tasks, [&](std::size_t i, measure::Outcome outcome) {
      record::PointRecord base;
      base.key = block.points[points[i]].key;
      base.status = outcome.status;
      base.reason = outcome.reason;
      if (outcome.check) base.verified = outcome.check->errors == 0;
      for (auto& one : session->records(points[i], outcome, base)) records.push_back(std::move(one));
    });
  }
  return records;
}

}  // namespace

class SessionOf : public testing::TestWithParam<Form> {};

TEST_P(SessionOf, every_benchmark_is_measured_and_verified) {
  std::set<std::string> keys;
  for (const auto& benchmark : all_benchmarks()) {
    const auto records = measured(tiny(GetParam()), benchmark.name);
    if (!world().is_root()) continue;
    const bool pairs = benchmark.test == hpcc::Test::latency_bandwidth;
    EXPECT_EQ(records.empty(), pairs && world().size() < 2) << benchmark.name;
    for (const auto& record : records) {
      ASSERT_EQ(record.status, record::Status::ok)
          << record.key << (record.reason ? record.reason->text : "");
      EXPECT_EQ(record.verified, true) << record.key;
      ASSERT_FALSE(record.metrics.empty()) << record.key;
      for (const auto& [name, value] : record.metrics) {
        EXPECT_NE(record::metric_name(name), nullptr) << name;
        const auto* number = std::get_if<double>(&value);
        EXPECT_TRUE(number == nullptr || *number > 0) << record.key << name;
      }
      for (const auto& [name, value] : record.classic) keys.insert(name);
    }
  }
  if (!world().is_root() || world().size() < 2) return;
  for (const auto& key : analysis::hpcc_keys())
    EXPECT_TRUE(key.test.empty() || key.test == "HPL" || keys.contains(std::string(key.name))) << key.name;
}

TEST_P(SessionOf, residual_above_the_threshold_is_not_verified) {
  auto settings = tiny(GetParam());
  settings.threshold = 0;  // no rounding error is below
  for (const std::string_view name : {"StarDGEMM", "SingleDGEMM", "MPIFFT", "StarFFT"}) {
    const auto records = measured(settings, name);
    EXPECT_EQ(records.size(), world().is_root() ? 1U : 0U) << name;
    for (const auto& record : records) EXPECT_EQ(record.verified, false) << name;
  }
}

TEST_P(SessionOf, single_rank_can_be_any) {
  for (int rank = 0; rank < world().size(); ++rank) {
    auto settings = tiny(GetParam());
    settings.single_rank = rank;
    for (const auto& record : measured(settings, "SingleRandomAccess")) {
      EXPECT_EQ(record.status, record::Status::ok);
      EXPECT_EQ(record.verified, true);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(forms, SessionOf, testing::Values(Form::base, Form::optimized));

TEST(once_per_pass, runs_one_operation_and_stops) {
  const OncePerPass schedule;
  measure::History history;
  const auto visit = std::get<measure::Visit>(schedule.next(history));
  EXPECT_EQ(visit.ops_per_batch * visit.batches, 1U);
  history.visits = 1;
  EXPECT_TRUE(std::holds_alternative<measure::Stop>(schedule.next(history)));
}

TEST(single_mode, others_wait_for_the_one_and_do_not_compute) {
  Stage stage{nullptr, &world(), world().size() - 1};
  int runs = 0;
  const auto workload =
      make_workload(stage, Mode::single,
                    {[&runs] {
                       ++runs;
                       return 0;
                     },
                     [] { return std::optional<measure::CheckResult>(measure::CheckResult{}); }});
  EXPECT_EQ(workload->run(0, 3), MPI_SUCCESS);
  EXPECT_EQ(workload->run(3, 2), MPI_SUCCESS);
  const bool works = world().rank() == world().size() - 1;
  EXPECT_EQ(runs, works ? 5 : 0);
  EXPECT_EQ(workload->verify(1).has_value(), works);
}

TEST(rates, star_is_the_mean_of_processes_and_global_the_slowest) {
  measure::Outcome outcome;
  for (const double slowest : {2.0, 4.0, 3.0})
    outcome.passes.push_back({1, 1, {.min_s = 1, .max_s = slowest, .mean_s = 1.5, .mean_rate_op_s = 0.75}});
  const auto star = rates(outcome, Mode::star, 12);
  ASSERT_TRUE(star.has_value());
  EXPECT_DOUBLE_EQ(star->value, 9);
  EXPECT_DOUBLE_EQ(star->least, 3);
  EXPECT_DOUBLE_EQ(star->most, 12);
  const auto global = rates(outcome, Mode::global, 12);
  EXPECT_DOUBLE_EQ(global->value, 4);
  EXPECT_DOUBLE_EQ(global->least, 3);
  EXPECT_DOUBLE_EQ(global->most, 6);
  EXPECT_FALSE(rates({}, Mode::star, 12).has_value());
}
