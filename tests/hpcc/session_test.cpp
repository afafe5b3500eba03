// SPDX-License-Identifier: Apache-2.0
// Every benchmark from plan to record, at tiny sizes.
#include "suites/hpcc/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../little_memory.hpp"
#include "fake_blas.hpp"
#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/blas/trial.hpp"
#include "suites/hpcc/experiment.hpp"
#include "suites/hpcc/hpl/shape.hpp"
#include "suites/hpcc/hpl/solver_progress.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "suites/hpcc/test_rules.hpp"
#include "suites/session.hpp"

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
  settings.effort.repetitions = 2;
  settings.latency = {8, 2, 2, 2, 2, 1e-3};
  settings.bandwidth = {20'000, 1, 2, 1, 2, 1e-3};
  return settings;
}

/// Records of a benchmark on rank 0.
std::vector<record::PointRecord> measured(const Settings& settings, std::string_view benchmark,
                                          const std::function<bool()>& stop = {},
                                          measure::ClockFigures clock = {}) {
  const auto suite = measurable_suite(settings);
  const std::string names[] = {std::string(benchmark)};
  std::vector<record::PointRecord> records;
  for (const auto& block : suite->plan(names, world().size())) {
    measure::Team team;
    team.active = world().duplicate();
    team.group = world().duplicate();
    suites::SessionContext context;
    context.team = &team;
    context.stop = stop;
    context.clock = clock;
    const auto session = suite->open(block, context);
    const auto chosen = measure::make_timer(measure::ClockKind::mono);
    measure::EngineOptions options;
    options.probe_states = false;
    measure::Engine engine(*chosen.timer, options);
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < block.points.size(); ++i)
      if (block.points[i].measurable()) points.push_back(i);
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
    const bool pairs = benchmark.test == hpcc::latency_bandwidth_rules;
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
  for (const auto& key : hpcc::summary_keys())
    EXPECT_TRUE(key.test.empty() || key.test == "HPL" || keys.contains(std::string(key.name))) << key.name;
}

TEST_P(SessionOf, every_rate_tells_the_repetitions_that_it_comes_from) {
  for (const std::string_view name : {"StarDGEMM", "PTRANS", "MPIFFT", "StarRandomAccess", "StarSTREAM"})
    for (const auto& record : measured(tiny(GetParam()), name)) {
      EXPECT_EQ(std::ranges::count(record.classic, "passes_s", [](const auto& one) { return one.first; }), 1)
          << record.key;
      const auto* passes = record::find(record.classic, "passes_s");
      ASSERT_NE(passes, nullptr) << record.key;
      EXPECT_GE(std::get<std::vector<double>>(*passes).size(), 2U) << record.key;
    }
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

TEST_P(SessionOf, transposition_is_not_checked_without_a_threshold) {
  auto settings = tiny(GetParam());
  for (const double threshold : {0.0, -1.0}) {
    settings.threshold = threshold;
    for (const auto& record : measured(settings, "PTRANS")) {
      EXPECT_EQ(record.status, record::Status::ok);
      EXPECT_FALSE(record.verified.has_value()) << record.key;
      EXPECT_EQ(record::find(record.classic, "PTRANS_residual"), nullptr) << record.key;
    }
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

TEST_P(SessionOf, all_processes_together_execute_four_updates_for_every_word) {
  auto settings = tiny(GetParam());
  settings.update_bound_s = 1e6;  // a sample that waits for processors leaves time for all of them
  for (const std::string_view name : {"MPIRandomAccess", "MPIRandomAccess_LCG"})
    for (const auto& record : measured(settings, name)) {
      const auto number = [&](std::string_view end) {
        const auto* value = record::find(record.classic, std::string(name) + std::string(end));
        return value != nullptr ? std::get<std::int64_t>(*value) : -1;
      };
      EXPECT_EQ(number("_ExeUpdates"), 4 * number("_N")) << name;
    }
}

TEST(messages, that_take_ten_times_their_budget_are_flagged) {
  if (world().size() < 2) GTEST_SKIP() << "nobody to talk to";
  auto settings = tiny(Form::base);
  for (const bool far : {true, false}) {
    settings.latency.ping_pong_budget_s = settings.bandwidth.ping_pong_budget_s = far ? 1e-9 : 1e6;
    for (const auto& record : measured(settings, "LatencyBandwidth"))
      EXPECT_EQ(record::has_flag(record, "far_beyond_budget"), far) << record.key;
  }
}

TEST(timed_regions, of_few_steps_of_the_clock_are_flagged) {
  for (const std::string_view name : {"StarDGEMM", "SingleSTREAM", "PTRANS"})
    for (const bool is_short : {true, false})
      for (const auto& record : measured(tiny(Form::base), name, {}, {0, is_short ? 1e6 : 1e-15}))
        EXPECT_EQ(record::has_flag(record, "few_clock_steps"), is_short) << record.key;
}

TEST(timed_regions, of_stream_are_flagged_below_the_ticks_of_its_rules) {
  auto settings = tiny(Form::base);
  for (const std::int64_t order : {16, 1600}) {
    settings.problem.orders = {order};
    for (const auto& record : measured(settings, "SingleSTREAM")) {
      const auto& trials = std::get<std::vector<double>>(*record::find(record.classic, "passes_s"));
      const double shortest_s = *std::ranges::min_element(trials.begin() + 1, trials.end());
      EXPECT_EQ(record::has_flag(record, "fewer_ticks_than_the_rules_ask"),
                shortest_s < 20 * std::max(MPI_Wtick(), 1e-6))
          << record.key << ' ' << shortest_s;
    }
  }
}

TEST(linear_solver, every_combination_has_its_keys) {
  auto settings = tiny(Form::optimized);
  settings.solver.depth = {0, 1};
  settings.solver.panel = {hpl::Factorisation::left, hpl::Factorisation::crout};
  settings.solver_repetitions = 2;
  const auto records = measured(settings, "HPL");
  ASSERT_EQ(records.size(), world().is_root() ? 4U : 0U);
  if (!world().is_root()) return;
  const auto word = [&](std::size_t i, std::string_view name) {
    const auto* value = record::find(records[i].classic, name);
    return value != nullptr ? std::get<std::string>(*value) : "";
  };
  EXPECT_EQ(word(0, "tv"), "WC01C2L4");
  EXPECT_EQ(word(3, "tv"), "WC11C2C4");
  EXPECT_EQ(word(3, "HPL_cpfact"), "C");
  EXPECT_EQ(word(3, "HPL_ctop"), "1");
}

TEST(linear_solver, no_equations_have_the_rate_zero) {
  auto settings = tiny(Form::optimized);
  settings.problem.orders = {0};
  for (const auto& record : measured(settings, "HPL")) {
    EXPECT_EQ(record.status, record::Status::ok);
    EXPECT_EQ(record.verified, true);
    EXPECT_EQ(*record::find(record.classic, "HPL_Tflops"), record::Value(0.0));
  }
}

TEST(linear_solver, tells_phases_and_one_iteration_when_asked) {
  auto settings = tiny(Form::optimized);
  for (const auto& record : measured(settings, "HPL"))
    EXPECT_EQ(record::find(record.classic, "detail_update_s"), nullptr);
  settings.solver_detail = settings.solver_timeline = true;
  for (const auto& record : measured(settings, "HPL")) {
    EXPECT_GT(record::number(*record::find(record.classic, "detail_update_s")), 0);
    const auto& ranks = std::get<std::vector<double>>(*record::find(record.classic, "timeline_rank"));
    EXPECT_EQ(std::set(ranks.begin(), ranks.end()).size(), static_cast<std::size_t>(world().size()));
    const auto& panels = std::get<std::vector<double>>(*record::find(record.classic, "timeline_panel"));
    const auto variant = hpl::variants(settings.problem, settings.solver).front();
    const int together = hpl::panels_at_once(variant), first = 160 / 16 / 3 / together * together;
    for (const double panel : panels) EXPECT_TRUE(panel >= first && panel < first + 2 * together) << panel;
  }
}

TEST(linear_solver, tells_what_was_expected_beside_each_time) {
  const Phases phases(world(), nullptr);
  record::PointRecord record;
  phases.put_detail(std::nullopt, record);
  EXPECT_EQ(record::find(record.classic, "expected_s"), nullptr);
  phases.put_detail(hpl::SolveParts{1, 2, 4, 8, 16, 32, 64, 100}, record);
  const std::map<const char*, double> expected = {
      {"expected_rfact_s", 3}, {"expected_mxswp_s", 2},   {"expected_update_s", 28},
      {"expected_laswp_s", 4}, {"expected_solve_s", 8},   {"expected_multiply_s", 16},
      {"expected_wait_s", 32}, {"expected_uptrsv_s", 64}, {"expected_s", 100}};
  for (const auto& [name, s] : expected) EXPECT_EQ(record::number_in(record, name), s) << name;
}

TEST(linear_solver, names_its_library_and_who_moves_panels) {
  auto settings = tiny(Form::optimized);
  settings.solver.broadcast = {hpl::Broadcast::automatic};
  for (const auto& record : measured(settings, "HPL")) {
    EXPECT_EQ(record.verified, true);
    EXPECT_FALSE(std::get<std::string>(*record::find(record.classic, "Sy_HPL_BLAS")).empty());
    EXPECT_EQ(*record::find(record.classic, "HPL_ctop"), record::Value(std::string("9")));
    EXPECT_EQ(*record::find(record.classic, "tv"), record::Value(std::string("WC19C2R4")));
  }
}

TEST(linear_solver, stage_is_told_in_the_words_of_the_published_one) {
  hpl::Variant variant;
  variant.n = 8000;
  Advance advance;
  EXPECT_FALSE(advance.stage(variant).has_value());
  advance.look(0);
  EXPECT_DOUBLE_EQ(advance.stage(variant)->share, 0);
  advance.look(2000);
  const auto stage = advance.stage(variant).value();
  EXPECT_DOUBLE_EQ(stage.share, 1 - 0.75 * 0.75 * 0.75);
  EXPECT_EQ(stage.words.rfind("WC11C2R4 Column=000002000 Fraction=25.0% Gflops=", 0), 0U) << stage.words;
  advance.end();
  EXPECT_FALSE(advance.stage(variant).has_value());
}

TEST(linear_solver, failed_and_missing_checks_are_told_apart) {
  auto settings = tiny(Form::optimized);
  settings.threshold = 1e-30;
  for (const auto& record : measured(settings, "HPL")) EXPECT_EQ(record.verified, false);
  settings.threshold = 0;
  for (const auto& record : measured(settings, "HPL")) {
    EXPECT_FALSE(record.verified.has_value());
    EXPECT_EQ(std::get<double>(*record::find(record.classic, "HPL_RnormI")), -1);
  }
}

TEST(linear_solver, stopped_run_has_no_rate) {
  for (const auto& record : measured(tiny(Form::optimized), "HPL", [] { return true; })) {
    EXPECT_EQ(record.status, record::Status::partial);
    ASSERT_TRUE(record.reason.has_value());
    EXPECT_EQ(record.reason->code, record::ReasonCode::interrupted);
    EXPECT_TRUE(record.metrics.empty());
    EXPECT_FALSE(record.verified.has_value());
  }
}

TEST(linear_solver, too_large_a_matrix_is_a_failed_point) {
  auto settings = tiny(Form::optimized);
  settings.problem.orders = {30'000'000};
  const auto records = measured(settings, "HPL");
  ASSERT_EQ(records.size(), world().is_root() ? 1U : 0U);
  for (const auto& record : records) {
    EXPECT_EQ(record.status, record::Status::failed);
    ASSERT_TRUE(record.reason.has_value());
    EXPECT_EQ(record.reason->code, record::ReasonCode::memory);
  }
}

INSTANTIATE_TEST_SUITE_P(forms, SessionOf, testing::Values(Form::base, Form::optimized));

TEST(threads_of_a_process, are_told_and_compute_the_same) {
  if (world().size() > 2) GTEST_SKIP() << "threads without a core spin";
  auto settings = tiny(Form::optimized);
  settings.threads = 2;
  for (const std::string_view name : {"StarSTREAM", "StarFFT", "StarRandomAccess", "SingleDGEMM"})
    for (const auto& record : measured(settings, name)) {
      EXPECT_EQ(record.status, record::Status::ok) << record.key;
      EXPECT_EQ(record.verified, true) << record.key;
      EXPECT_NE(record.key.find(";threads=2"), std::string::npos) << record.key;
      const auto* threads = record::find(record.classic, "STREAM_Threads");
      EXPECT_TRUE(threads == nullptr || *threads == record::Value(std::int64_t{2}));
    }
}

TEST(strict_run, takes_the_first_execution_after_one_of_a_64th_of_the_size) {
  auto settings = tiny(Form::optimized);
  for (const auto limit : {LengthLimit::wide, LengthLimit::strict}) {
    settings.limit = limit;
    for (const auto& record : measured(settings, "MPIFFT")) {
      const auto passes = std::get<std::vector<double>>(*record::find(record.classic, "passes_s"));
      ASSERT_EQ(passes.size(), 2U);
      const double n = static_cast<double>(std::get<std::int64_t>(*record::find(record.classic, "MPIFFT_N")));
      const double counted_s = limit == LengthLimit::strict ? passes[0] : (passes[0] + passes[1]) / 2;
      EXPECT_NEAR(std::get<double>(*record::find(record.classic, "MPIFFT_Gflops")) /
                      (5e-9 * n * std::log2(n) / counted_s),
                  1, 1e-9);
      const auto* told = record::find(record.classic, "figure_s");
      EXPECT_EQ(told == nullptr ? -1 : std::get<double>(*told),
                limit == LengthLimit::strict ? passes[0] : -1);
      EXPECT_EQ(record.verified, true);
    }
  }
  settings.memory_byte = 1 << 20;
  const Frame frame{&settings, &world(), 0};
  const auto warmed = [&](std::string_view name) {
    const auto spec =
        point_specs(settings, *std::ranges::find(all_benchmarks(), name, &Benchmark::name), world().size());
    return std::pair(spec.front(), warm_up(frame, spec.front()));
  };
  for (const std::string_view name : {"StarDGEMM", "SingleDGEMM"}) {
    const auto [spec, small] = warmed(name);
    EXPECT_NEAR(static_cast<double>(small.value().length), static_cast<double>(spec.length) / 8, 2) << name;
  }
  for (const std::string_view name : {"StarRandomAccess", "MPIRandomAccess"}) {
    const auto [spec, small] = warmed(name);
    EXPECT_EQ(small.value().bits, spec.bits - 6) << name;
  }
  const auto [transform, small_transform] = warmed("StarFFT");
  EXPECT_EQ(small_transform.value().length, transform.length / 64);
  const auto [solver, small_solver] = warmed("HPL");
  EXPECT_EQ(small_solver.value().solver.n, solver.solver.n / 8);
  for (const std::string_view name : {"StarSTREAM", "PTRANS"}) EXPECT_FALSE(warmed(name).second) << name;
}

/// Chosen by the wish, with the child of the tests.
std::shared_ptr<const BlasInUse> chosen(const BlasWish& wish, const record::Document& earlier = {}) {
  return choose_blas(world(), wish, trial_rules(), earlier);
}

TEST(blas_choice, computes_dgemm_and_the_linear_solver_and_is_told_with_its_rates) {
  for (const auto kind : {BlasWish::Kind::as_linked, BlasWish::Kind::fastest}) {
    auto settings = tiny(Form::optimized);
    settings.blas_in_use = chosen({kind});
    const auto& findings = settings.blas_in_use->findings;
    ASSERT_NE(findings.in_use(), nullptr) << findings.failure;
    EXPECT_EQ(findings.nodes, 1);
    EXPECT_EQ(settings.blas_in_use->library.identity().kernel, findings.in_use()->kernel);
    EXPECT_TRUE(kind == BlasWish::Kind::fastest || findings.in_use()->candidate.as_linked());
    for (const auto& record : measured(settings, "StarDGEMM")) {
      EXPECT_EQ(record.verified, true);
      EXPECT_EQ(*record::find(record.classic, "Sy_BLAS_kernel"), record::Value(findings.in_use()->kernel));
      const auto* rates = record::find(record.classic, "Sy_BLAS_trial");
      ASSERT_NE(rates, nullptr);
      EXPECT_NE(std::get<std::string>(*rates).find("Gflop/s"), std::string::npos);
      const auto* advice = record::find(record.classic, "Sy_BLAS_advice");
      const bool flagged = std::ranges::find(record.flags, "blas_below_peak") != record.flags.end();
      EXPECT_EQ(advice != nullptr, flagged);
    }
    for (const auto& record : measured(settings, "HPL")) {
      EXPECT_EQ(record.verified, true);
      EXPECT_EQ(*record::find(record.classic, "Sy_HPL_BLAS"), record::Value(described(*findings.in_use())));
    }
  }
}

TEST(blas_choice, is_none_where_one_process_is_refused_the_memory_in_which_it_works) {
  if (!memory_may_lack) GTEST_SKIP() << "a process that gets no memory is ended";
  if (BlasLibrary::linked().identity().name != "OpenBLAS") GTEST_SKIP() << "not linked with OpenBLAS";
  auto settings = tiny(Form::optimized);
  {
    const LittleMemory little(std::int64_t{100} << 20);
    settings.blas_in_use = chosen({BlasWish::Kind::as_linked});
  }
  const auto& findings = settings.blas_in_use->findings;
  const auto last = std::to_string(world().size() - 1);
  EXPECT_EQ(findings.unusable,
            "rank " + last + ": the 128 MiB in which OpenBLAS works are refused (see ulimit -v)");
  EXPECT_EQ(sentence(findings).find("BLAS: none can work: rank " + last), 0);
  EXPECT_EQ(record::text_in(document(findings).json(), "unusable"), findings.unusable);
  EXPECT_FALSE(usable_blas(settings.blas_in_use.get()).has_value());
  const std::string names[] = {"StarDGEMM", "HPL", "StarSTREAM"};
  for (const auto& block : measurable_suite(settings)->plan(names, world().size()))
    for (const auto& point : block.points) {
      const bool computes = block.benchmark != "StarSTREAM";
      EXPECT_EQ(point.measurable(), !computes) << point.key;
      EXPECT_EQ(point.skip_text, computes ? findings.unusable : "") << point.key;
    }
}

TEST(blas_choice, of_a_named_library_is_that_library_on_all_processes) {
  if (const auto lack = lack_of_separation({.file = fake_blas("right")}); !lack.empty()) GTEST_SKIP() << lack;
  const auto named = chosen({BlasWish::Kind::named, fake_blas("right")});
  EXPECT_EQ(named->library.identity().file, "libfake_right.so");
  EXPECT_EQ(named->findings.in_use()->candidate.make, "libfake_right.so");
  auto settings = tiny(Form::optimized);
  settings.blas_in_use = named;
  for (const auto& record : measured(settings, "SingleDGEMM")) {
    EXPECT_EQ(record.verified, true);
    EXPECT_EQ(*record::find(record.classic, "Sy_BLAS"), record::Value(std::string("libfake_right.so")));
  }
  for (const auto& record : measured(settings, "HPL")) {  // it has no more than a product
    EXPECT_EQ(record.verified, true);
    EXPECT_NE(*record::find(record.classic, "Sy_HPL_BLAS"), record::Value(std::string("libfake_right.so")));
  }
}

TEST(blas_choice, of_a_named_library_that_cannot_compute_is_refused_with_the_reason) {
  if (const auto lack = lack_of_separation({.file = fake_blas("right")}); !lack.empty()) GTEST_SKIP() << lack;
  const std::pair<std::string, std::string> cases[] = {
      {fake_blas("forgets"), "is wrong"},
      {fake_blas("crashes"), "ended by SIGILL"},
      {fake_blas("crashes_when_loaded"), "ended by SIGILL"},
      {"libsteelyard-has-no-such.so", "no BLAS of that name"}};
  for (const auto& [file, why] : cases) try {
      static_cast<void>(chosen({BlasWish::Kind::named, file}));
      FAIL() << file;
    } catch (const std::invalid_argument& fault) {
      EXPECT_NE(std::string(fault.what()).find(why), std::string::npos) << fault.what();
      EXPECT_NE(std::string(fault.what()).find(file), std::string::npos) << fault.what();
    }
}

TEST(blas_choice, of_a_resumed_run_is_that_of_its_run) {
  const auto first = chosen({BlasWish::Kind::fastest});
  const auto again = chosen({BlasWish::Kind::fastest}, document(first->findings));
  EXPECT_TRUE(again->findings.resumed);
  EXPECT_EQ(again->findings.tried.size(), 1) << "no trial of others";
  EXPECT_EQ(again->findings.in_use()->kernel, first->findings.in_use()->kernel);
  auto gone = document(first->findings);
  gone.json()["used"]["library"] = "SomeBLAS";
  const auto anew = chosen({BlasWish::Kind::fastest}, gone);
  EXPECT_FALSE(anew->findings.resumed);
  EXPECT_NE(anew->findings.in_use(), nullptr);
  EXPECT_NE(sentence(anew->findings).find("is not here any more"), std::string::npos);
}

TEST(memory_of_points, is_told_and_judged) {
  auto settings = tiny(Form::optimized);
  settings.node_share_byte = std::int64_t{1} << 40;
  for (const std::string_view name : {"StarSTREAM", "MPIFFT", "SingleRandomAccess", "MPIRandomAccess"})
    for (const auto& record : measured(settings, name)) {
      const auto* share = record::find(record.classic, "Sy_huge_page_share");
      ASSERT_NE(share, nullptr) << name;
      EXPECT_GE(record::number(*share), 0);
      EXPECT_LE(record::number(*share), 1);
      EXPECT_GT(record::number(*record::find(record.classic, "memory_share")), 0);
      EXPECT_NE(std::ranges::find(record.flags, "smaller_than_the_rules_ask"), record.flags.end()) << name;
    }
}

TEST(once_per_pass, runs_one_operation_and_stops) {
  const suites::OneOperation schedule("prescribed");
  measure::History history;
  const auto visit = std::get<measure::Visit>(schedule.next(history));
  EXPECT_EQ(visit.ops_per_batch * visit.batches, 1U);
  history.visits = 1;
  EXPECT_TRUE(std::holds_alternative<measure::Stop>(schedule.next(history)));
}

TEST(single_mode, others_wait_for_the_one_and_do_not_compute) {
  Frame frame{nullptr, &world(), world().size() - 1};
  int runs = 0;
  const auto workload =
      make_workload(frame, Mode::single,
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
