// SPDX-License-Identifier: Apache-2.0
#include "analysis/beff_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "beff_points.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::PointRecord;
using record::Status;
using record::SummaryRecord;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Predicate>
std::vector<PointRecord> changed(std::vector<PointRecord> points, Predicate chosen,
                                 void (*change)(PointRecord&)) {
  for (auto& point : points)
    if (chosen(point)) change(point);
  return points;
}

std::int64_t parameter(const PointRecord& point, const char* name) {
  return static_cast<std::int64_t>(record::number(*record::find(point.params, name)));
}

void fail(PointRecord& point) {
  point.status = Status::failed;
  point.classic.clear();
  point.verified.reset();
}

const auto first_point = [done = false](const PointRecord&) mutable { return !std::exchange(done, true); };

TEST(beff_run, has_the_shape_of_the_experiment) {
  const BeffRun run(beff_points({}));
  EXPECT_EQ(run.cube().processes(), 8);
  EXPECT_EQ(run.cube().repetitions(), 3);
  EXPECT_EQ(run.cube().lengths().size(), beff_length_count);
  EXPECT_EQ(run.cube().patterns().size(), 49u);
  EXPECT_EQ(run.points(), (48u * 3 + 1) * 21);
  EXPECT_EQ(run.missing() + run.left_out() + run.partial(), 0u);
  EXPECT_EQ(run.cube().patterns()[*run.pingpong()].name, "one PingPong Pair");
  EXPECT_EQ(run.used(*run.pingpong()), 2);
  EXPECT_EQ(run.number(48), 48);
  EXPECT_EQ(run.verified(), true);
  EXPECT_FALSE(run.shortened());
}

TEST(beff_run, other_suites_do_not_count) {
  auto points = beff_points({});
  PointRecord other;
  other.suite = "imb-mpi1";
  other.processes = 2;
  points.push_back(other);
  EXPECT_EQ(BeffRun(points).points(), points.size() - 1);
  EXPECT_THROW(BeffRun(std::vector{other}), std::invalid_argument);
}

TEST(beff_run, bandwidth_of_a_pattern_counts_all_its_messages) {
  const BeffExperiment experiment{.processes = 5};
  const BeffRun run(beff_points(experiment));
  const auto& cube = run.cube();
  for (const std::size_t p : {std::size_t{0}, std::size_t{10}, *run.pingpong()}) {
    const auto& pattern = cube.patterns()[p];
    const double t = iteration_s(experiment, 1, p, cube.lengths()[7], pattern.slots, 0);
    EXPECT_NEAR(*cube.at(1, p, 7, 0), 128 * pattern.messages / t, 1e-6 * *cube.at(1, p, 7, 0)) << p;
    EXPECT_NEAR(run.loop(1, p, 7, 0)->loop_s, run.loop(1, p, 7, 0)->iterations * t, 1e-12);
  }
}

TEST(beff_run, b_eff_is_that_of_an_independent_sum) {
  const BeffExperiment experiment{.processes = 4};
  const BeffRun run(beff_points(experiment));
  double logs[2] = {0, 0};
  for (std::size_t p = 0; p < 36; ++p) {
    double sum = 0;
    for (const auto length : run.cube().lengths()) {
      const auto& pattern = run.cube().patterns()[p];
      double least = 1e9;
      for (int r = 0; r < 3; ++r)
        for (int m = 0; m < 3; ++m)
          least = std::min(least, iteration_s(experiment, r, p, length, pattern.slots, m));
      sum += static_cast<double>(length.count()) * pattern.messages / least;
    }
    logs[p < 6 ? 0 : 1] += std::log(sum / 21) / (p < 6 ? 6 : 30);
  }
  EXPECT_NEAR(*run.b_eff() / std::exp((logs[0] + logs[1]) / 2), 1, 1e-12);
}

TEST(beff_run, warm_up_is_spread_over_the_loops_of_a_point) {
  const BeffRun run(beff_points({}));
  EXPECT_EQ(run.loop(0, 0, 17, 0)->warmup_iterations, 1);
  EXPECT_EQ(run.loop(2, 0, 18, 0)->warmup_iterations, 0);
}

TEST(beff_run, ping_pong_was_not_measured_with_the_other_methods) {
  const BeffRun run(beff_points({}));
  EXPECT_TRUE(run.loop(0, *run.pingpong(), 0, 0).has_value());
  EXPECT_FALSE(run.loop(0, *run.pingpong(), 0, 1).has_value());
}

TEST(beff_run, shortened_last_two_leave_b_eff_and_cut_the_methods) {
  const BeffRun full(beff_points({})), cut(beff_points({.shortened = true}));
  EXPECT_TRUE(cut.shortened(0) && cut.shortened(2) && cut.shortened());
  EXPECT_NEAR(*cut.b_eff(), *full.b_eff(), 1e-6);  // the best method and repetition are measured in both
  EXPECT_FALSE(cut.result().each_method[0].sets.both.has_value());
  EXPECT_TRUE(cut.result().by_method.sets.both.has_value());
  EXPECT_FALSE(cut.result().each_repetition[2].sets.both.has_value());
  EXPECT_EQ(cut.left_out(), 48u * 2 * 2);
  EXPECT_EQ(cut.missing(), 0u);
  EXPECT_EQ(cut.verified(), true);
}

TEST(beff_run, loops_that_their_own_rule_skipped_are_left_out_and_those_that_a_planner_skipped_are_missing) {
  auto points = beff_points({.shortened = true});
  record::Reason no_time;
  no_time.code = record::ReasonCode::time;
  for (auto& point : points) {
    const auto* repetitions = record::find(point.classic, "repetition");
    if (repetitions != nullptr && !std::get<std::vector<double>>(*repetitions).empty()) continue;
    point.status = record::Status::skipped;
    point.reason = no_time;
    point.schedule = record::Schedule{};
    point.schedule->rule = "time_driven";
    point.verified.reset();
  }
  EXPECT_EQ(BeffRun(points).left_out(), 48u * 2 * 2);
  EXPECT_EQ(BeffRun(points).missing(), 0u);
  EXPECT_TRUE(BeffRun(points).b_eff().has_value());
  points.back().status = record::Status::skipped;
  points.back().schedule.reset();
  points.back().reason = no_time;
  EXPECT_EQ(BeffRun(points).missing(), 1u);
}

TEST(beff_run, without_two_methods_nothing_is_shortened) {
  EXPECT_FALSE(BeffRun(beff_points({.without_methods = {1, 2}})).shortened());
}

TEST(beff_run, failed_ring_takes_b_eff_away) {
  const auto of_third = [](const PointRecord& point) { return parameter(point, "pattern") == 2; };
  const BeffRun run(changed(beff_points({}), of_third, fail));
  EXPECT_FALSE(run.b_eff().has_value());
  EXPECT_EQ(run.cube().patterns()[2].role, PatternRole::ring);
  EXPECT_TRUE(run.result().official.sets.random.has_value());
  EXPECT_EQ(run.missing(), 63u);
}

TEST(beff_run, failed_polygon_takes_b_eff_away) {
  const auto of_tenth = [](const PointRecord& point) { return parameter(point, "pattern") == 10; };
  const BeffRun run(changed(beff_points({}), of_tenth, fail));
  EXPECT_FALSE(run.b_eff().has_value());
  EXPECT_EQ(run.cube().patterns()[10].role, PatternRole::random);
}

TEST(beff_run, failed_additional_pattern_leaves_b_eff) {
  const auto of_last = [](const PointRecord& point) { return parameter(point, "pattern") == 48; };
  const BeffRun run(changed(beff_points({}), of_last, fail));
  EXPECT_EQ(*run.b_eff(), *BeffRun(beff_points({})).b_eff());
}

TEST(beff_run, missing_lengths_take_b_eff_and_the_values_at_lmax_away) {
  auto points = beff_points({});
  std::erase_if(points, [](const auto& point) { return parameter(point, "message_byte") == 1048576; });
  const BeffRun run(points);
  EXPECT_FALSE(run.complete());
  EXPECT_FALSE(run.b_eff().has_value());
  EXPECT_FALSE(run.derived().at_longest_byte_s.has_value());
  EXPECT_FALSE(run.derived().pingpong_bandwidth_byte_s.has_value());
  EXPECT_TRUE(run.derived().latency_s.has_value());
}

TEST(beff_run, one_wrong_check_is_told_and_one_missing_check_makes_it_unknown) {
  EXPECT_EQ(
      BeffRun(changed(beff_points({}), first_point, [](PointRecord& p) { p.verified = false; })).verified(),
      false);
  EXPECT_EQ(
      BeffRun(changed(beff_points({}), first_point, [](PointRecord& p) { p.verified.reset(); })).verified(),
      std::nullopt);
}

TEST(beff_run, contradictions_are_refused) {
  const auto with = [](void (*change)(PointRecord&)) {
    return BeffRun(changed(beff_points({.polygons = 2}), first_point, change));
  };
  EXPECT_THROW(with([](PointRecord& p) { p.processes = 9; }), std::invalid_argument);
  EXPECT_THROW(with([](PointRecord& p) { p.params["method"] = "telepathy"; }), std::invalid_argument);
  EXPECT_THROW(with([](PointRecord& p) { member(p, "repeats_s") = std::vector<double>{1.0}; }),
               std::invalid_argument);
  EXPECT_THROW(with([](PointRecord& p) {
                 member(p, "repetition") = std::vector<double>{0, 1, 2};
               }),
               std::invalid_argument);
}

std::optional<double> value(const SummaryRecord& summary, const std::string& name) {
  for (const auto& [own, metric] : summary.values)
    if (const auto* number = std::get_if<double>(&metric); own == name && number != nullptr) return *number;
  return std::nullopt;
}

bool has(const SummaryRecord& summary, const std::string& name) {
  return std::ranges::any_of(summary.values, [&](const auto& one) { return one.first == name; });
}

SummaryRecord summary_of(const BeffExperiment& experiment) {
  return beff_summary(BeffRun(beff_points(experiment)), beff_frame(beff_run_record(experiment)));
}

TEST(beff_frame, reads_the_configuration_of_the_suite) {
  const auto frame = beff_frame(beff_run_record({.mark = "MOD", .because = "one\ntwo"}));
  EXPECT_EQ(frame.memory_per_process_byte, 134217728);
  EXPECT_EQ(frame.longest_byte, 1048576);
  EXPECT_EQ(frame.seed, 1);
  EXPECT_EQ(frame.polygons, 30);
  EXPECT_EQ(frame.mark, "MOD");
  EXPECT_THAT(frame.not_official_because, testing::ElementsAre("one", "two"));
}

TEST(beff_frame, of_a_run_without_the_suite_is_empty) {
  const auto frame = beff_frame(record::RunRecord{});
  EXPECT_FALSE(frame.seed.has_value());
  EXPECT_THAT(frame.not_official_because, IsEmpty());
}

TEST(beff_summary, of_a_complete_run_is_official_and_has_every_value) {
  const auto summary = summary_of({});
  EXPECT_EQ(summary.name, "b_eff");
  EXPECT_EQ(summary.official, true);
  EXPECT_EQ(summary.verified, true);
  EXPECT_EQ(summary.inputs_used, (48 * 3 + 1) * 21);
  EXPECT_EQ(summary.inputs_missing, 0);
  for (const auto& [name, metric] : summary.values) {
    EXPECT_NE(record::metric_name(name), nullptr) << name;
    EXPECT_TRUE(std::holds_alternative<double>(metric)) << name;
  }
  EXPECT_NEAR(*value(summary, "b_eff_per_process_byte_s") * 8, *value(summary, "b_eff_byte_s"), 1e-3);
  EXPECT_NEAR(*value(summary, "memory_communication_time_s"), 8 * 134217728 / *value(summary, "b_eff_byte_s"),
              1e-9);
  EXPECT_FALSE(has(summary, "balance_factor"));
}

TEST(beff_summary, knows_the_balance_where_the_solver_rate_is_known) {
  auto frame = beff_frame(beff_run_record({}));
  frame.rmax_flop_s = 1e12;
  const auto summary = beff_summary(BeffRun(beff_points({})), frame);
  EXPECT_NEAR(*value(summary, "balance_factor"), *value(summary, "b_eff_byte_s") / 1e12, 1e-15);
}

TEST(beff_summary, tells_departures_of_the_configuration) {
  const auto summary = summary_of({.polygons = 2, .because = "2 random polygons instead of 30"});
  EXPECT_EQ(summary.official, false);
  EXPECT_THAT(summary.not_official_because, testing::ElementsAre("2 random polygons instead of 30"));
}

TEST(beff_summary, shortened_last_two_stay_official) {
  const auto summary = summary_of({.shortened = true});
  EXPECT_EQ(summary.official, true);
  EXPECT_EQ(summary.inputs_used, (48 * 3 + 1) * 21 - 48 * 2 * 2);
}

TEST(beff_summary, is_not_official_when_records_are_missing) {
  auto points = beff_points({});
  std::erase_if(points,
                [](const auto& p) { return record::number(*record::find(p.params, "message_byte")) == 64; });
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_TRUE(has(summary, "b_eff_byte_s"));
  EXPECT_FALSE(value(summary, "b_eff_byte_s").has_value());
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("20 of 21 message lengths")));
}

TEST(beff_summary, is_not_official_when_polygons_or_repetitions_are_missing) {
  const auto frame = beff_frame(beff_run_record({}));
  EXPECT_THAT(beff_summary(BeffRun(beff_points({.polygons = 29})), frame).not_official_because,
              Contains(HasSubstr("29 of 30 random polygons")));
  EXPECT_THAT(beff_summary(BeffRun(beff_points({.repetitions = 2})), frame).not_official_because,
              Contains(HasSubstr("2 of 3 repetitions")));
}

TEST(beff_summary, of_more_processes_than_processors_is_not_official) {
  auto points = beff_points({});
  points[5].flags = {"oversubscribed"};
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_THAT(summary.not_official_because, testing::ElementsAre("more processes than cores"));
}

TEST(beff_summary, is_not_official_when_a_message_was_wrong_or_a_loop_was_cut) {
  auto points = beff_points({});
  points[5].verified = false;
  points[6].status = record::Status::partial;
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_EQ(summary.verified, false);
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("message check failed")));
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("1 loops ended")));
}

constexpr int repetitions = 3;
constexpr int methods = 3;
constexpr std::size_t pingpong = 36;

std::vector<PatternRow> patterns() {
  std::vector<PatternRow> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({"ring", PatternRole::ring, 2, 8});
  for (int i = 0; i < 30; ++i) rows.push_back({"random-cyc-1dim", PatternRole::random, 2, 8});
  rows.push_back({"one PingPong Pair", PatternRole::additional, 2, 2});
  return rows;
}

std::vector<Bytes> lengths() {
  std::vector<Bytes> result;
  for (int k = 0; k < 21; ++k) result.push_back(Bytes{std::int64_t{1} << k});
  return result;
}

template <class ValueAt>
BandwidthCube cube_of(ValueAt value_at) {
  BandwidthCube cube(4, patterns(), lengths(), repetitions, methods);
  for (int r = 0; r < repetitions; ++r)
    for (std::size_t p = 0; p < cube.patterns().size(); ++p)
      for (std::size_t k = 0; k < cube.lengths().size(); ++k)
        for (int m = 0; m < methods; ++m)
          if (p != pingpong || m == 0) cube.set(r, p, k, m, value_at(r, p, k, m));
  return cube;
}

TEST(effective_bandwidth, of_equal_values_is_that_value_on_all_paths) {
  const auto result = effective_bandwidth(cube_of([](auto...) { return 5e8; }));
  EXPECT_NEAR(*result.b_eff(), 5e8, 1);
  EXPECT_NEAR(*result.by_method.sets.both, 5e8, 1);
  EXPECT_NEAR(*result.by_repetition.sets.both, 5e8, 1);
  for (const auto& length : result.each_length) EXPECT_NEAR(*length.sets.both, 5e8, 1);
  for (const auto& method : result.each_method) EXPECT_NEAR(*method.sets.rings, 5e8, 1);
}

TEST(effective_bandwidth, one_doubled_pattern_counts_by_the_size_of_its_set) {
  const auto doubled = [](std::size_t which) {
    return *effective_bandwidth(cube_of([=](int, std::size_t p, auto...) {
              return p == which ? 2.0 : 1.0;
            })).b_eff();
  };
  EXPECT_NEAR(doubled(3), std::pow(2.0, 1.0 / 12), 1e-12);
  EXPECT_NEAR(doubled(20), std::pow(2.0, 1.0 / 60), 1e-12);
  EXPECT_NEAR(doubled(pingpong), 1.0, 1e-12);
}

TEST(effective_bandwidth, takes_the_best_repetition_and_method_of_every_length) {
  const auto result = effective_bandwidth(cube_of([](int r, std::size_t, std::size_t k, int m) {
    return r == 2 && m == static_cast<int>(k % 3) ? 21.0 : 1.0;
  }));
  EXPECT_NEAR(*result.b_eff(), 21.0, 1e-9);
  EXPECT_NEAR(*result.by_method.sets.both, (7 * 21.0 + 14) / 21, 1e-9);
  EXPECT_NEAR(*result.by_repetition.sets.both, 21.0, 1e-9);
  EXPECT_NEAR(*result.each_repetition[0].sets.both, 1.0, 1e-9);
}

TEST(effective_bandwidth, official_path_is_never_below_the_others) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> values(18, 2);
  for (int trial = 0; trial < 20; ++trial) {
    const auto result = effective_bandwidth(cube_of([&](auto...) { return values(random); }));
    EXPECT_GE(*result.b_eff(), *result.by_method.sets.both);
    EXPECT_GE(*result.b_eff(), *result.by_repetition.sets.both);
    for (std::size_t p = 0; p < patterns().size(); ++p)
      EXPECT_GE(*result.official.patterns[p], *result.by_method.patterns[p]);
  }
}

TEST(effective_bandwidth, is_absent_when_a_ring_was_not_measured) {
  BandwidthCube cube(4, patterns(), lengths(), repetitions, methods);
  for (std::size_t p = 1; p < 36; ++p)
    for (std::size_t k = 0; k < 21; ++k) cube.set(0, p, k, 0, 1.0);
  const auto result = effective_bandwidth(cube);
  EXPECT_FALSE(result.b_eff().has_value());
  EXPECT_FALSE(result.official.sets.rings.has_value());
  EXPECT_NEAR(*result.official.sets.random, 1.0, 1e-12);
}

TEST(derived_values, divide_processes_by_bandwidth_of_the_shortest_message) {
  const auto cube = cube_of([](int, std::size_t p, std::size_t k, int) {
    const double rings = p < 6 ? 4e6 : 1e6;
    return p == pingpong ? (k == 0 ? 2e6 : 9e9) : rings * static_cast<double>(std::size_t{1} << k);
  });
  const auto values = derived_values(cube, effective_bandwidth(cube), pingpong);
  EXPECT_NEAR(*values.latency_s, 4 / 2e6, 1e-15);
  EXPECT_NEAR(*values.ring_latency_s, 4 / 4e6, 1e-15);
  EXPECT_NEAR(*values.rings_at_longest_byte_s, 4e6 * 1048576, 1);
  EXPECT_NEAR(*values.pingpong_latency_s, 0.5e-6, 1e-15);
  EXPECT_NEAR(*values.pingpong_bandwidth_byte_s, 9e9, 1);
}

TEST(memory_communication_time, converts_binary_memory_to_decimal_bandwidth) {
  EXPECT_NEAR(memory_communication_time(512 * Bytes{128 << 20}, Rate{19919e6}).value(), 3.45, 0.005);
  EXPECT_NEAR(memory_communication_time(24 * Bytes{1 << 30}, Rate{1806e6}).value(), 14.27, 0.005);
  EXPECT_NEAR(balance_factor(Rate{19919e6}, 450e9), 0.0443, 1e-4);
}

}  // namespace
}  // namespace steelyard::analysis
