// SPDX-License-Identifier: Apache-2.0
#include "analysis/beff_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "beff_points.hpp"

namespace steelyard::analysis {
namespace {

using record::PointRecord;
using record::Status;

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

}  // namespace

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

}  // namespace steelyard::analysis
