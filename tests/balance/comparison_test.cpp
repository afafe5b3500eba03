// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/tables/tables.hpp"

namespace steelyard::comparison {
namespace {

using record::PointRecord;
using Launch = record::Run;

constexpr double us = 1e-6;

PointRecord point(const std::string& benchmark, std::int64_t size, double median, double half_width = 0.005) {
  PointRecord record;
  record.suite = "imb-mpi1";
  record.benchmark = benchmark;
  record.processes = 2;
  record.params["message_byte"] = size;
  record.key = record::make_key(record.suite, benchmark, 2, 1, 1, record.params);
  record.verified = true;
  record.primary = "time_s";
  record.schedule.emplace();
  record.schedule->rule = "adaptive";
  record.schedule->sync = "none";
  record.schedule->timing = "batch";
  record::Statistics time;
  time.median = median;
  time.p99 = 2 * median;
  time.ci = {median * (1 - half_width), median * (1 + half_width)};
  time.visit_medians = {median * 0.999, median, median * 1.001};
  record.metrics = {{"time_s", time}};
  return record;
}

Launch run(std::vector<PointRecord> points) {
  Launch result;
  result.id = "r";
  result.head.name = "vm";
  result.head.processes = 2;
  result.head.nodes = 1;
  result.head.layout = record::Json{{"hosts", {"vm"}}, {"ranks", {{0, 2}}}, {"binding", "core"}};
  result.head.mpi = record::Json{{"library", "Open MPI 4"}};
  result.points = std::move(points);
  return result;
}

std::vector<Launch> launches(const std::vector<double>& medians_us) {
  std::vector<Launch> runs;
  for (const double median : medians_us) runs.push_back(run({point("Bcast", 8, median * us)}));
  return runs;
}

std::string refusal(const std::vector<Launch>& base, const std::vector<Launch>& now,
                    const Options& options = {}) {
  try {
    static_cast<void>(compare(base, now, options));
  } catch (const Unlike& unlike) {
    return unlike.what();
  }
  return {};
}

TEST(compare, worked_example_of_five_launches_a_side) {
  const auto found =
      compare(launches({4.10, 4.12, 4.08, 4.15, 4.11}), launches({4.31, 4.29, 4.35, 4.27, 4.40}));
  const Point& only = found.points.at(0);
  EXPECT_NEAR(*only.p, 0.00794, 5e-6);
  EXPECT_NEAR(*only.ratio, 1.0487, 5e-5);
  EXPECT_NEAR(only.interval->low, 1.0364, 5e-5);
  EXPECT_NEAR(only.interval->high, 1.0706, 5e-5);
  EXPECT_EQ(only.cliffs_delta, 1);
  EXPECT_EQ(only.verdict, Verdict::unclear);  // significant, and smaller than the threshold
  Options strict;
  strict.threshold = 0.04;
  EXPECT_EQ(
      compare(launches({4.10, 4.12, 4.08, 4.15, 4.11}), launches({4.31, 4.29, 4.35, 4.27, 4.40}), strict)
          .points[0]
          .verdict,
      Verdict::slower);
  const auto same =
      compare(launches({4.10, 4.12, 4.08, 4.15, 4.11}), launches({4.13, 4.09, 4.16, 4.14, 4.12}));
  EXPECT_NEAR(*same.points[0].ratio, 1.0049, 5e-5);
  EXPECT_EQ(same.points[0].verdict, Verdict::same);
}

TEST(compare, single_launches_believe_no_less_than_the_floor) {
  const auto found = compare(launches({4.0}), launches({4.2}));
  const Point& only = found.points.at(0);
  const double h = std::log(1.005 / 0.995) / 2 / 1.96, s = std::sqrt(2 * h * h + 2 * 0.02 * 0.02);
  EXPECT_NEAR(only.interval->high, 1.05 * std::exp(1.96 * s), 1e-9);
  EXPECT_EQ(only.test, comparison::Test::single_launch);
  EXPECT_EQ(only.verdict, Verdict::unclear);
  EXPECT_EQ(compare(launches({4.0}), launches({4.8})).points[0].verdict, Verdict::slower);
  EXPECT_EQ(compare(launches({4.8}), launches({4.0})).points[0].verdict, Verdict::faster);
  EXPECT_EQ(compare(launches({4.0, 4.01, 4.02}), launches({4.0, 4.02, 4.03})).points[0].verdict,
            Verdict::same);
}

TEST(compare, higher_rates_are_faster) {
  auto base = launches({4.0}), now = launches({8.0});
  for (auto* runs : {&base, &now})
    for (Launch& one : *runs) {
      auto& metric = one.points[0].metrics[0];
      metric.first = one.points[0].primary = "bandwidth_byte_s";
      one.points[0].lower_is_better = false;
    }
  EXPECT_EQ(compare(base, now).points[0].verdict, Verdict::faster);
}

TEST(compare, without_an_interval_the_threshold_decides_and_that_is_said) {
  auto base = launches({4.0}), now = launches({4.3});
  std::get<record::Statistics>(base[0].points[0].metrics[0].second).ci.reset();
  const auto found = compare(base, now);
  EXPECT_EQ(found.points[0].test, comparison::Test::threshold_only);
  EXPECT_EQ(found.points[0].verdict, Verdict::slower);
  EXPECT_NE(found.points[0].remark.find("threshold"), std::string::npos);
}

TEST(compare, false_alarms_are_controlled_over_all_points) {
  std::vector<PointRecord> base, now;
  for (int i = 0; i < 100; ++i) {
    base.push_back(point("Bcast", i, 1 * us));
    now.push_back(point("Bcast", i, i == 0 ? 1.08 * us : 1 * us));  // z = 2.7: p = 0.007
  }
  EXPECT_EQ(compare(std::vector{run(base)}, std::vector{run(now)}).count(Verdict::slower), 0U);
  EXPECT_EQ(compare(std::vector{run({base[0]})}, std::vector{run({now[0]})}).count(Verdict::slower), 1U);
}

TEST(compare, missing_new_and_unverified_points_are_named) {
  auto wrong = point("Bcast", 4, us);
  wrong.verified = false;
  const auto found =
      compare(std::vector{run({point("Bcast", 1, us), point("Bcast", 2, us), point("Bcast", 4, us)})},
              std::vector{run({point("Bcast", 2, us), wrong, point("Bcast", 8, us)})});
  EXPECT_EQ(found.count(Verdict::missing), 1U);
  EXPECT_EQ(found.count(Verdict::added), 1U);
  EXPECT_EQ(found.count(Verdict::unverified), 1U);
  EXPECT_EQ(found.count(Verdict::same), 0U);  // one launch a side: 0.946 .. 1.057
  EXPECT_EQ(found.count(Verdict::unclear), 1U);
}

record::State state(double c2c, double median) {
  record::State one;
  one.c2c_s = c2c;
  one.visits = 10;
  one.median = median;
  one.ci = {median * 0.99, median * 1.01};
  return one;
}

TEST(compare, pairs_points_by_machine_state) {
  auto base = launches({1.0}), now = launches({3.0});
  base[0].points[0].states = {state(43e-9, 1.0 * us), state(495e-9, 3.0 * us)};
  now[0].points[0].states = {state(495e-9, 3.03 * us), state(45e-9, 1.3 * us)};
  const auto found = compare(base, now);
  EXPECT_NEAR(*found.points[0].ratio, 1.3, 1e-9);
  now[0].points[0].states = {state(105e-9, 3.0 * us)};
  const auto apart = compare(base, now);
  EXPECT_EQ(apart.points[0].verdict, Verdict::unclear);
  EXPECT_EQ(apart.points[0].remark, "different machine states");
}

TEST(compare, unlike_experiments_are_refused_with_the_reason) {
  const auto base = launches({1.0});
  auto now = launches({1.0});
  now[0].points[0].schedule->sync = "barrier";
  EXPECT_NE(refusal(base, now).find("synchronisation (--sync): none in the base, barrier in the new"),
            std::string::npos);
  Options free;
  free.ignored = {Ignored::options};
  EXPECT_EQ(refusal(base, now, free), "");
  now = launches({1.0});
  now[0].points[0].schedule->timing = "each";
  EXPECT_NE(refusal(base, now).find("timing"), std::string::npos);
  now = launches({1.0});
  now[0].points[0].flags = {"clock_corrected"};
  EXPECT_NE(refusal(base, now).find("correction for the clock"), std::string::npos);
  now = launches({1.0});
  now[0].head.layout.json()["ranks"] = record::Json{{0, 1}, {1, 1}};
  EXPECT_NE(refusal(base, now).find("ranks on nodes"), std::string::npos);
  free.ignored = {Ignored::layout};
  EXPECT_EQ(refusal(base, now, free), "");
  EXPECT_EQ(refusal(base, std::vector{run({point("Reduce", 8, us)})}), "no point is on both sides");
}

TEST(compare, other_library_is_listed_and_not_refused) {
  const auto base = launches({1.0});
  auto now = launches({1.0});
  now[0].head.mpi.json()["library"] = "MPICH 4";
  const auto found = compare(base, now);
  ASSERT_EQ(found.differences.size(), 1U);
  EXPECT_EQ(found.differences[0].what, "MPI library");
  Options quiet;
  now[0].head.environment = record::Json{{"OMP_NUM_THREADS", "2"}, {"A", "1"}};
  auto old = base;
  old[0].head.environment = record::Json{{"A", "1"}};
  quiet.ignored = {Ignored::mpi};
  const auto told = compare(old, now, quiet).differences;
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].what, "environment OMP_NUM_THREADS");
  EXPECT_EQ(told[0].base, "not set");
}

TEST(compare, another_statistic_of_the_metric) {
  Options options;
  options.metric = "time_s.p99";
  const auto found = compare(launches({1.0}), launches({1.5}), options);
  EXPECT_NEAR(*found.points[0].base, 2 * us, 1e-15);
  EXPECT_EQ(found.points[0].verdict, Verdict::slower);
  options.metric = "no_such_metric";
  EXPECT_NE(refusal(launches({1.0}), launches({1.5}), options), "");
}

TEST(compare, mean_of_ratios_and_its_interval) {
  std::vector<Launch> base, now;
  for (const double drift : {0.99, 1.0, 1.01, 1.0, 1.0}) {
    base.push_back(run({point("Bcast", 1, drift * us), point("Bcast", 2, drift * us)}));
    now.push_back(run({point("Bcast", 1, 2 * drift * us), point("Bcast", 2, 0.5 * drift * us)}));
  }
  const auto found = compare(base, now);
  ASSERT_EQ(found.means.size(), 1U);
  EXPECT_NEAR(found.means[0].ratio, 1, 1e-12);
  EXPECT_LT(found.means[0].interval->low, 1);
  EXPECT_GT(found.means[0].interval->low, 0.9);
}

/// Launches that drift by 30 % while the new side is 3 % slower each time.
std::pair<std::vector<Launch>, std::vector<Launch>> drifting(std::size_t pairs) {
  std::vector<double> base, now;
  for (std::size_t i = 0; i < pairs; ++i) {
    base.push_back(4.0 * (1 + 0.3 * static_cast<double>(i % 4) / 3 + 0.001 * static_cast<double>(i)));
    now.push_back(base.back() * (1.03 + 0.001 * static_cast<double>(i % 3)));
  }
  return {launches(base), launches(now)};
}

Options in_pairs() {
  Options options;
  options.launches = Launches::paired;
  return options;
}

TEST(compare_pairs, drift_that_both_share_drops_out) {
  const auto [base, now] = drifting(8);
  Options options = in_pairs();
  options.threshold = 0.01;
  options.alpha = 0.05;
  const auto paired = compare(base, now, options);
  options.launches = Launches::independent;
  EXPECT_EQ(paired.points[0].verdict, Verdict::slower);
  EXPECT_EQ(paired.points[0].test, comparison::Test::pairs);
  EXPECT_NEAR(*paired.points[0].ratio, 1.031, 0.001);
  EXPECT_LT(paired.points[0].interval->high - paired.points[0].interval->low, 0.01);
  EXPECT_EQ(compare(base, now, options).points[0].verdict, Verdict::unclear);
}

TEST(compare_pairs, few_pairs_believe_no_less_than_the_floor) {
  const auto [base, now] = drifting(3);
  const auto found = compare(base, now, in_pairs()).points[0];
  EXPECT_EQ(found.verdict, Verdict::unclear);
  EXPECT_NEAR(std::log(found.interval->high / found.interval->low), 2 * 1.96 * 0.02 * std::sqrt(2.0 / 3),
              1e-6);
  EXPECT_NE(found.remark.find("pairs would decide"), std::string::npos) << found.remark;
}

TEST(compare_pairs, a_launch_that_lacks_the_point_takes_its_partner_along) {
  auto [base, now] = drifting(4);
  now[1].points.clear();
  const auto found = compare(base, now, in_pairs()).points[0];
  EXPECT_EQ(found.base_launches, 3U);
  EXPECT_NEAR(*found.ratio, 1.03, 1e-9);  // of 1.03, 1.032, 1.03
}

TEST(compare_pairs, sides_of_different_length_are_refused) {
  const auto [base, now] = drifting(3);
  EXPECT_THROW(static_cast<void>(compare(base, std::span(now).first(2), in_pairs())),
               std::invalid_argument);
}

TEST(compare_pairs, resampled_pairs_agree_with_their_ranks) {
  const auto [base, now] = drifting(8);
  Options options = in_pairs();
  options.bootstrap = 500;
  const auto found = compare(base, now, options);
  EXPECT_NEAR(found.points[0].interval->low, 1.030, 0.002);
  EXPECT_NEAR(found.points[0].interval->high, 1.032, 0.002);
  EXPECT_NEAR(found.means[0].ratio, 1.031, 0.001);
}

TEST(compare, a_point_that_was_cut_is_not_judged_by_the_threshold) {
  auto base = launches({4.0}), now = launches({8.0});
  std::get<record::Statistics>(now[0].points[0].metrics[0].second).ci.reset();
  now[0].points[0].status = record::Status::partial;
  const auto found = compare(base, now).points[0];
  EXPECT_EQ(found.verdict, Verdict::unclear);
  EXPECT_EQ(found.remark, "cut before it had an interval");
}

TEST(compare, resampling_agrees_with_the_ranks) {
  Options options;
  options.bootstrap = 1000;
  const auto found =
      compare(launches({4.10, 4.12, 4.08, 4.15, 4.11}), launches({4.31, 4.29, 4.35, 4.27, 4.40}), options);
  EXPECT_NEAR(found.points[0].interval->low, 1.035, 0.015);
  EXPECT_NEAR(found.points[0].interval->high, 1.07, 0.015);
}

TEST(compare_tables, neighbouring_points_are_one_finding_in_every_form) {
  std::vector<PointRecord> base, now;
  for (const int size : {1, 2, 4}) {
    base.push_back(point("Bcast", size, us));
    now.push_back(point("Bcast", size, 1.5 * us));
  }
  const auto sections = tables(compare(std::vector{run(base)}, std::vector{run(now)}));
  const std::string text = formats::tables_text(sections), csv = formats::tables_csv(sections, "points");
  EXPECT_NE(text.find("slower from 1 B to 4 B: 1.500 .. 1.500"), std::string::npos) << text;
  EXPECT_NE(text.find("3 slower, 0 same of 3 points (threshold 5 %, false discovery rate 1 %)"),
            std::string::npos)
      << text;
  EXPECT_NE(csv.find(",Bcast,2,time_s,s,1e-06,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace steelyard::comparison
