// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/comparison/observations.hpp"
#include "analysis/comparison/run_filter.hpp"
#include "formats/tables/tables.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

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

/// The user knows that launches differ by 2 %.
Options known() {
  Options options;
  options.launch_sd = 0.02;
  return options;
}

std::string refusal(const std::vector<Launch>& base, const std::vector<Launch>& now,
                    const Options& options = {}) {
  try {
    static_cast<void>(compare(base, now, options));
  } catch (const NotComparable& unlike) {
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
  EXPECT_EQ(compare(launches({4.0}), launches({4.8}), known()).points[0].verdict, Verdict::slower);
  EXPECT_EQ(compare(launches({4.8}), launches({4.0}), known()).points[0].verdict, Verdict::faster);
  EXPECT_EQ(compare(launches({4.0, 4.01, 4.02}), launches({4.0, 4.02, 4.03})).points[0].verdict,
            Verdict::same);
}

TEST(compare, launches_that_ranks_cannot_tell_apart_are_unclear) {
  const auto single = compare(launches({4.0}), launches({12.0}));
  EXPECT_EQ(single.points[0].verdict, Verdict::unclear);
  EXPECT_FALSE(single.points[0].p);
  EXPECT_FALSE(single.tested());
  EXPECT_FALSE(single.means.at(0).interval);
  const auto four = compare(launches({4, 4.1, 4.2, 4.3}), launches({8, 8.1, 8.2, 8.3}));
  EXPECT_EQ(four.points[0].verdict, Verdict::unclear);
  EXPECT_GE(four.points[0].launches_needed, 5);
  const auto five = compare(launches({4, 4.1, 4.2, 4.3, 4.4}), launches({8, 8.1, 8.2, 8.3, 8.4}));
  EXPECT_EQ(five.points[0].verdict, Verdict::slower);
  EXPECT_TRUE(five.tested());
  Options strict;
  strict.alpha = 0.001;  // five against five launches are in order by chance in 0.8 % of the cases
  EXPECT_FALSE(
      compare(launches({4, 4.1, 4.2, 4.3, 4.4}), launches({8, 8.1, 8.2, 8.3, 8.4}), strict).tested());
}

TEST(compare, single_launches_differ_by_what_the_other_side_shows) {
  const std::vector<double> wide{0.90, 0.95, 1.00, 1.05, 1.12};
  stats::Moments logs;
  for (const double median : wide) logs.add(std::log(median));
  const double h = std::log(1.005 / 0.995) / 2 / 1.96, sd = logs.sd();
  const auto base = launches(wide), now = launches({1.15});
  const Point single = compare(base, now).points.at(0);
  EXPECT_NEAR(single.interval->high, 1.15 * std::exp(1.96 * std::sqrt(sd * sd / 5 + sd * sd + h * h)), 1e-9);
  EXPECT_EQ(compare(base, now, known()).points.at(0).verdict, Verdict::unclear);
  EXPECT_EQ(compare(now, base, known()).points.at(0).verdict, Verdict::unclear);
}

/// Many points with a spread of 2 %, one of which is 10 % slower.
TEST(compare, a_point_beyond_the_threshold_that_many_points_hide_says_so) {
  constexpr int points = 400;
  std::mt19937_64 dice(4);
  std::normal_distribution<double> noise;
  std::vector<Launch> base, now;
  for (const double planted : {1.0, 1.015, 1.02, 1.03, 1.04}) {
    std::vector<PointRecord> before{point("Bcast", 0, planted * us)};
    std::vector<PointRecord> after{point("Bcast", 0, 1.1 * planted * us)};
    for (int i = 1; i < points; ++i)
      for (auto* side : {&before, &after})
        side->push_back(point("Bcast", i, std::exp(0.02 * noise(dice)) * us));
    base.push_back(run(before));
    now.push_back(run(after));
  }
  const Point one = compare(base, now).points.at(0);
  ASSERT_EQ(one.verdict, Verdict::unclear);
  ASSERT_GT(one.interval->low, 1.05);
  EXPECT_EQ(one.remark, "beyond the threshold, but not significant among 400 points");
  EXPECT_GT(one.launches_needed, 5);
  EXPECT_LT(one.launches_needed, 15);
}

TEST(compare, higher_rates_are_faster) {
  auto base = launches({4.0}), now = launches({8.0});
  for (auto* runs : {&base, &now})
    for (Launch& one : *runs) {
      auto& metric = one.points[0].metrics[0];
      metric.first = one.points[0].primary = "bandwidth_byte_s";
      one.points[0].lower_is_better = false;
    }
  EXPECT_EQ(compare(base, now, known()).points[0].verdict, Verdict::faster);
}

/// Rates of an experiment as single numbers, with the times of its repetitions.
std::vector<Launch> experiments(const std::vector<double>& rates, const std::vector<double>& passes_s) {
  std::vector<Launch> runs;
  for (const double rate : rates) {
    auto record = point("HPL", 8, us);
    record.metrics = {{"flop_rate_flop_s", rate}};
    record.primary = "flop_rate_flop_s";
    record.lower_is_better = false;
    if (!passes_s.empty()) record.classic.emplace_back("passes_s", passes_s);
    runs.push_back(run({record}));
  }
  return runs;
}

TEST(compare, a_single_number_decides_nothing) {
  const auto found = compare(experiments({8e9}, {}), experiments({4e9}, {}), known()).points[0];
  EXPECT_EQ(found.verdict, Verdict::unclear);
  EXPECT_EQ(found.remark, "a single number: its spread is not known");
  EXPECT_FALSE(found.interval);
  EXPECT_EQ(compare(experiments({8e9}, {1}), experiments({4e9}, {1}), known()).points[0].verdict,
            Verdict::unclear);
  const std::vector base = {8e9, 8.1e9, 8e9, 8.2e9, 8.05e9}, now = {4e9, 4.1e9, 4.2e9, 4e9, 4.05e9};
  EXPECT_EQ(compare(experiments(base, {}), experiments(now, {})).points[0].verdict, Verdict::slower);
}

TEST(compare, repetitions_of_an_experiment_make_its_interval) {
  const std::vector passes = {1.00, 1.02, 0.98};
  const auto found = compare(experiments({8e9}, passes), experiments({4e9}, passes), known()).points[0];
  EXPECT_EQ(found.verdict, Verdict::slower);
  const double sd = 0.0200013, error = 4.3027 * sd / std::sqrt(3.0) / 1.96;
  EXPECT_NEAR(std::log(found.interval->high / found.interval->low),
              2 * 1.96 * std::sqrt(2 * error * error + 2 * 0.02 * 0.02), 1e-4);
  EXPECT_EQ(compare(experiments({8e9}, {1, 2, 3}), experiments({4e9}, {1, 2, 3}), known()).points[0].verdict,
            Verdict::unclear);
}

TEST(compare, loops_of_b_eff_are_repetitions_each_of_its_own_length) {
  auto base = experiments({8e9}, {}), now = experiments({4e9}, {});
  for (auto* runs : {&base, &now}) {
    runs->front().points[0].classic.emplace_back("repeats_s", std::vector<double>{2e-3, 1e-3, 1.02e-3});
    runs->front().points[0].classic.emplace_back("looplength", std::vector<double>{2000, 1000, 1000});
  }
  EXPECT_EQ(compare(base, now, known()).points[0].verdict, Verdict::slower);
}

TEST(compare, figures_of_foreign_texts_have_the_threshold_alone_and_that_is_said) {
  Options options;
  options.figures = true;
  const auto found = compare(experiments({8e9}, {}), experiments({4e9}, {}), options);
  EXPECT_EQ(found.points[0].test, comparison::Test::threshold_only);
  EXPECT_EQ(found.points[0].verdict, Verdict::slower);
  EXPECT_FALSE(found.tested());
  EXPECT_NE(found.points[0].remark.find("threshold"), std::string::npos);
}

/// The same number as a text prints it, the last digit in units of `step`.
std::vector<Launch> texts(const std::vector<double>& rates, double step) {
  auto runs = experiments(rates, {});
  for (Launch& one : runs) one.points[0].imported = record::Json{{"step", step}};
  return runs;
}

TEST(compare, several_texts_are_as_coarse_as_their_median) {
  Options options;
  options.figures = true;
  // The first of the new texts alone would be far from the threshold of 5 %, their median is on it.
  const auto near = compare(texts({1000}, 10), texts({2000, 1050, 1040}, 10), options).points[0];
  EXPECT_EQ(near.test, comparison::Test::threshold_only);
  EXPECT_EQ(near.verdict, Verdict::unclear);
  EXPECT_EQ(near.remark, "printed too coarsely");
  // And the other way round: the first is on it, their median is far.
  const auto far = compare(texts({1000}, 10), texts({1050, 2000, 2010}, 10), options).points[0];
  EXPECT_EQ(far.verdict, Verdict::faster);
}

TEST(compare, false_alarms_are_controlled_over_all_points) {
  std::vector<PointRecord> base, now;
  for (int i = 0; i < 100; ++i) {
    base.push_back(point("Bcast", i, 1 * us));
    now.push_back(point("Bcast", i, i == 0 ? 1.08 * us : 1 * us));  // z = 2.7: p = 0.007
  }
  EXPECT_EQ(compare(std::vector{run(base)}, std::vector{run(now)}, known()).count(Verdict::slower), 0U);
  EXPECT_EQ(compare(std::vector{run({base[0]})}, std::vector{run({now[0]})}, known()).count(Verdict::slower),
            1U);
}

/// A rate of an experiment whose size the plan chose.
PointRecord rate(std::int64_t elements, double byte_s, const std::string& kernel = "Triad") {
  PointRecord record = point("StarSTREAM", 0, 1);
  record.suite = "hpcc";
  record.params = {{"elements", elements}, {"kernel", kernel}};
  record.key = record::make_key(record.suite, record.benchmark, 2, 1, 1, record.params);
  record.primary = "bandwidth_byte_s";
  record.lower_is_better = false;
  record::Statistics rate;
  rate.median = byte_s;
  record.metrics = {{record.primary, rate}};
  return record;
}

TEST(compare, rates_at_sizes_that_the_plan_chose_are_one_unclear_row) {
  const std::vector<Launch> base(5, run({rate(1000, 10e9), rate(1000, 9e9, "Copy")}));
  const std::vector<Launch> now(5, run({rate(1024, 5e9), rate(1024, 5e9, "Copy")}));
  const auto found = compare(base, now);
  ASSERT_EQ(found.points.size(), 2u);
  for (const Point& only : found.points) {
    EXPECT_EQ(only.verdict, Verdict::unclear);
    EXPECT_EQ(only.remark, "not measured alike: elements: 1000 and 1024");
    EXPECT_FALSE(only.p);
  }
  EXPECT_NEAR(*found.points[0].ratio, 0.5, 1e-9);
}

TEST(compare, times_and_several_sizes_of_a_side_stay_missing_and_new) {
  const auto both = point("Bcast", 4, us);
  const auto times = compare(std::vector{run({both, point("Bcast", 8, us)})},
                             std::vector{run({both, point("Bcast", 16, us)})});
  EXPECT_EQ(times.count(Verdict::missing) + times.count(Verdict::added), 2u);
  const auto rates =
      compare(std::vector{run({both, rate(8, 1e9), rate(16, 1e9)})}, std::vector{run({both, rate(32, 1e9)})});
  EXPECT_EQ(rates.count(Verdict::missing), 2u);
  EXPECT_EQ(rates.count(Verdict::added), 1u);
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

/// A point that failed, without figures.
PointRecord failed(PointRecord point) {
  point.status = record::Status::failed;
  point.reason.emplace().code = record::ReasonCode::mpi_error;
  point.verified.reset();
  point.metrics.clear();
  return point;
}

TEST(compare, a_point_that_failed_says_so) {
  const std::vector both{run({point("Bcast", 1, us), point("Bcast", 2, us)})};
  const std::vector broken{run({failed(point("Bcast", 1, us)), point("Bcast", 2, us)})};
  const auto gone = compare(both, broken);
  EXPECT_EQ(gone.points.at(0).verdict, Verdict::missing);
  EXPECT_EQ(gone.points[0].remark, "failed in the new: mpi_error");
  const auto back = compare(broken, both);
  EXPECT_EQ(back.points.at(1).verdict, Verdict::added);
  EXPECT_EQ(back.points[1].remark, "failed in the base: mpi_error");
  EXPECT_NE(formats::tables_text(tables(gone)).find("failed in the new: mpi_error"), std::string::npos);
}

TEST(compare, a_point_that_some_launches_lack_says_how_many_have_it) {
  const auto base = launches({4, 4, 4, 4, 4});
  auto now = launches({8, 8, 8, 8, 8});
  now[1].points[0] = failed(now[1].points[0]);
  const auto found = compare(base, now);
  const Point& only = found.points.at(0);
  EXPECT_EQ(only.verdict, Verdict::unclear);
  EXPECT_EQ(only.remark,
            "4 of 5 launches of the new; failed in the new: mpi_error; about 5 launches a side would decide");
  const std::string text = formats::tables_text(tables(found), 200);
  EXPECT_NE(text.find("unclear  4 of 5 launches of the new; failed in the new: mpi_error\n"),
            std::string::npos)
      << text;
  Options options;
  options.launches = Launches::paired;
  EXPECT_TRUE(compare(base, now, options).points.at(0).remark.starts_with("4 of 5 pairs; failed in the new"));
  now[1].points.clear();
  EXPECT_TRUE(compare(base, now).points.at(0).remark.starts_with("4 of 5 launches of the new; about "));
}

TEST(compare, points_that_lack_the_metric_on_both_sides_are_left_out_and_counted) {
  auto with = point("Bcast", 1, us);
  with.metrics.emplace_back("bandwidth_byte_s", with.metrics[0].second);
  auto wrong = point("Bcast", 4, us);
  wrong.verified = false;
  const std::vector runs{run({with, point("Bcast", 2, us), wrong})};
  Options options;
  options.metric = "bandwidth_byte_s";
  const auto found = compare(runs, runs, options);
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(found.points[0].what->key, with.key);
  EXPECT_EQ(found.points[1].verdict, Verdict::unverified);
  EXPECT_EQ(found.without_metric, 1U);
  EXPECT_NE(formats::tables_text(tables(found)).find("1 more point has no bandwidth_byte_s on either side."),
            std::string::npos);
  EXPECT_EQ(compare(std::vector{run({with, point("Bcast", 2, us)})},
                    std::vector{run({point("Bcast", 1, us), with})}, options)
                .count(Verdict::missing),
            0U);
}

TEST(compare, a_metric_that_no_point_has_is_named_with_the_nearest) {
  const std::vector runs{run({point("Bcast", 1, us)})};
  Options options;
  options.metric = "bandwith_byte_s";
  EXPECT_EQ(refusal(runs, runs, options),
            "no point has the metric 'bandwith_byte_s' on both sides; did you mean bandwidth_byte_s?");
  options.metric = "bandwidth_byte_s";
  EXPECT_EQ(refusal(runs, runs, options), "no point has the metric 'bandwidth_byte_s' on both sides");
}

record::State state(double c2c, double median, int visits = 10) {
  record::State one;
  one.c2c_s = c2c;
  one.visits = visits;
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
  EXPECT_EQ(found.points[0].remark, "of the machine state with c2c 43.0 ns, not as printed");
  now[0].points[0].states = {state(105e-9, 3.0 * us)};
  const auto apart = compare(base, now);
  EXPECT_EQ(apart.points[0].verdict, Verdict::unclear);
  EXPECT_EQ(apart.points[0].remark, "different machine states");
}

TEST(compare, a_state_that_was_seen_in_one_visit_decides_nothing) {
  auto base = launches({0.90}), now = launches({0.99});
  base[0].points[0].states = {state(43e-9, 0.90 * us, 5), state(495e-9, 0.93 * us, 1)};
  now[0].points[0].states = {state(495e-9, 0.99 * us, 6)};
  const auto found = compare(base, now, known()).points[0];
  EXPECT_NEAR(*found.base, 0.90 * us, 1e-15);  // as printed
  EXPECT_EQ(found.verdict, Verdict::unclear);
  EXPECT_FALSE(found.p);
}

TEST(compare, printed_values_are_shown_where_their_states_are_alike) {
  auto base = launches({0.90}), now = launches({0.91});
  base[0].points[0].states = {state(43e-9, 0.90 * us, 7), state(495e-9, 0.60 * us, 6)};
  now[0].points[0].states = {state(45e-9, 0.91 * us, 10), state(495e-9, 0.99 * us, 9)};
  const auto found = compare(base, now).points[0];
  EXPECT_NEAR(*found.base, 0.90 * us, 1e-15);
  EXPECT_NEAR(*found.now, 0.91 * us, 1e-15);
  EXPECT_EQ(found.remark.find("state"), std::string::npos);
}

TEST(compare, launches_enough_to_rank_may_be_of_several_states) {
  auto base = launches({1.0, 1.0, 1.01, 1.4, 1.01}), now = launches({2.0, 2.0, 2.02, 2.8, 2.01});
  for (auto* runs : {&base, &now})
    for (std::size_t i = 0; i < 5; ++i)
      (*runs)[i].points[0].states = {state(i == 3 ? 495e-9 : 43e-9, 1 * us, 6)};
  EXPECT_EQ(compare(base, now).points[0].verdict, Verdict::slower);
  for (Launch& one : now) one.points[0].states[0].c2c_s = 105e-9;
  EXPECT_EQ(compare(base, now).points[0].verdict, Verdict::unclear);  // a state that the base never saw
}

TEST(compare, points_that_were_not_measured_alike_are_unclear_and_spoil_no_others) {
  std::vector<Launch> base, now;
  for (int i = 0; i < 5; ++i) {
    base.push_back(run({point("Bcast", 1, 1 * us), point("Bcast", 2, 1 * us), point("Bcast", 4, 1 * us)}));
    now.push_back(run({point("Bcast", 1, 2 * us), point("Bcast", 2, 2 * us), point("Bcast", 4, 2 * us)}));
    now.back().points[1].flags = {"clock_corrected"};
    now.back().points[2].schedule->rule = "imb";
  }
  const auto found = compare(base, now);
  EXPECT_EQ(found.points[0].verdict, Verdict::slower);
  EXPECT_EQ(found.points[1].verdict, Verdict::unclear);
  EXPECT_EQ(found.points[1].remark, "not measured alike: correction for the clock: no and yes");
  EXPECT_EQ(found.points[2].verdict, Verdict::unclear);
  EXPECT_EQ(found.points[2].remark, "not measured alike: schedule (--schedule): adaptive and imb");
  EXPECT_EQ(found.means.at(0).points, 1U);
  const auto note_of_means = [](const Comparison& of) {
    for (const auto& section : tables(of))
      if (section.id == "means") return section.notes.empty() ? std::string() : section.notes[0];
    return std::string();
  };
  EXPECT_TRUE(note_of_means(found).starts_with("2 points have a ratio and no part in these means"));
  Options free;
  free.ignored = {Ignored::options};
  EXPECT_EQ(compare(base, now, free).count(Verdict::slower), 3U);
  EXPECT_EQ(note_of_means(compare(base, now, free)), "");
}

TEST(compare, means_are_of_no_wrong_data) {
  const std::vector<Launch> base{run({point("Bcast", 1, 1 * us), point("Bcast", 2, 1 * us)})};
  std::vector<Launch> now{run({point("Bcast", 1, 2 * us), point("Bcast", 2, 9 * us)})};
  now[0].points[1].verified = false;
  const auto found = compare(base, now);
  EXPECT_EQ(found.points[1].verdict, Verdict::unverified);
  ASSERT_EQ(found.means.size(), 1U);
  EXPECT_EQ(found.means[0].points, 1U);
  EXPECT_NEAR(found.means[0].ratio, 2, 1e-9);
}

TEST(compare, launches_that_vary_alike_on_both_sides_are_compared) {
  auto base = launches({1, 1.01, 1.02, 1.03, 1.04}), now = launches({2, 2.01, 2.02, 2.03, 2.04});
  base[0].points[0].flags = now[3].points[0].flags = {"clock_corrected"};
  EXPECT_EQ(compare(base, now).points[0].verdict, Verdict::slower);
}

TEST(compare, runs_by_the_same_command_are_never_refused_for_what_the_measurement_chose) {
  auto base = launches({1.0}), now = launches({1.0});
  now[0].points[0].flags = {"clock_corrected"};
  EXPECT_EQ(refusal(base, now), "");
  now[0].points[0].schedule->sync = "dissemination";  // where the clocks could not be synchronised
  EXPECT_NE(refusal(base, now), "");
  for (auto* runs : {&base, &now}) runs->front().head.config = record::Json{{"sync", "window"}};
  EXPECT_EQ(refusal(base, now), "");
  EXPECT_EQ(compare(base, now).points[0].verdict, Verdict::unclear);
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

TEST(compare, settings_of_libraries_of_two_families_are_counted_but_for_those_that_both_have) {
  auto base = launches({1.0}), now = launches({1.0});
  base[0].head.mpi = record::Json{{"library", "MPICH Version: 4.0.2"},
                                  {"settings", {{"MPIR_CVAR_A", "0"}, {"MPIR_CVAR_B", "1"}, {"both", "1"}}}};
  base[0].head.environment = record::Json{{"MPIR_CVAR_B", "1"}};
  now[0].head.mpi =
      record::Json{{"library", "Open MPI v4.1.4"}, {"settings", {{"btl", "self"}, {"both", "2"}}}};
  now[0].head.environment =
      record::Json{{"OMPI_MCA_btl", "self"},         {"OMPI_MCA_num_procs", "2"},
                   {"OMPI_MCA_orte_num_nodes", "1"}, {"PRTE_MCA_hwloc_default_binding_policy", "core"},
                   {"PMIX_MCA_psec", "native"},      {"PSM2_DEVICES", "self,shm"}};
  const auto told = [](const Comparison& found) {
    std::vector<std::string> lines;
    for (const auto& one : found.differences) lines.push_back(one.what + ": " + one.base + " / " + one.now);
    return lines;
  };
  EXPECT_THAT(told(compare(base, now)),
              ::testing::ElementsAre(
                  "MPI library: MPICH Version: 4.0.2 / Open MPI v4.1.4",
                  "MPI settings of one library alone: 2, set by variables: MPIR_CVAR_B / 1, set by "
                  "variables: btl",
                  "MPI setting both: 1 / 2", "environment MPIR_CVAR_B: 1 / not set",
                  "environment OMPI_MCA_btl: not set / self",
                  "environment PRTE_MCA_hwloc_default_binding_policy: not set / core"));
  base[0].head.mpi.json()["library"] = "Open MPI v5.0.1";
  EXPECT_EQ(told(compare(base, now)).size(), 12U) << "of one family each is told";
}

TEST(compare, another_statistic_of_the_metric) {
  Options options;
  options.metric = "time_s.p99";
  const auto found = compare(launches({1, 1, 1, 1, 1}), launches({1.5, 1.5, 1.51, 1.5, 1.5}), options);
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

TEST(compare, mean_of_few_launches_is_as_uncertain_as_they_are_few) {
  std::vector<Launch> runs;
  for (const double drift : {1.0, 1.06})
    runs.push_back(run({point("Bcast", 1, drift * us), point("Bcast", 2, 3 * drift * us)}));
  const double sd = std::log(1.06) / std::sqrt(2.0);
  Options options;
  const auto found = compare(runs, runs, options).means.at(0);
  EXPECT_NEAR(std::log(found.interval->high / found.interval->low), 2 * 4.30265 * sd, 1e-5);
  options.launches = Launches::paired;
  const auto pairs = compare(runs, runs, options).means.at(0);
  EXPECT_NEAR(std::log(pairs.interval->high / pairs.interval->low), 2 * 12.7062 * 0.02, 1e-5);
}

/// The ratio that a reader gets from the ratios of the points.
double mean_of_shown(const Comparison& found) {
  double sum = 0;
  for (const Point& shown : found.points) sum += std::log(*shown.ratio);
  return std::exp(sum / static_cast<double>(found.points.size()));
}

TEST(compare, mean_of_ratios_is_that_of_the_ratios_shown) {
  const std::vector<double> before{1.00, 1.02, 1.05, 1.12, 1.15, 1.16};
  const std::vector<double> after{1.01, 1.03, 1.10, 1.11, 1.19, 1.30};
  std::vector<Launch> base, now;
  for (std::size_t i = 0; i < before.size(); ++i) {
    base.push_back(run({point("Bcast", 1, before[i] * us), point("Bcast", 2, 3 * after[5 - i] * us)}));
    now.push_back(run({point("Bcast", 1, after[i] * us), point("Bcast", 2, 4 * before[i] * us)}));
  }
  Options options;
  for (const Launches kind : {Launches::independent, Launches::paired}) {
    options.launches = kind;
    const auto found = compare(base, now, options);
    ASSERT_EQ(found.means.size(), 1U);
    EXPECT_NEAR(found.means[0].ratio, mean_of_shown(found), 1e-12);
    EXPECT_LT(found.means[0].interval->low, found.means[0].ratio);
    EXPECT_GT(found.means[0].interval->high, found.means[0].ratio);
  }
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
  EXPECT_NEAR(std::log(found.interval->high / found.interval->low), 2 * 4.3027 * 0.02 * std::sqrt(2.0 / 3),
              1e-5);
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
  EXPECT_THROW(static_cast<void>(compare(base, std::span(now).first(2), in_pairs())), std::invalid_argument);
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

TEST(compare, a_point_that_was_cut_is_not_judged) {
  auto base = launches({4.0}), now = launches({8.0});
  std::get<record::Statistics>(now[0].points[0].metrics[0].second).ci.reset();
  now[0].points[0].status = record::Status::partial;
  const auto found = compare(base, now).points[0];
  EXPECT_EQ(found.verdict, Verdict::unclear);
  EXPECT_EQ(found.remark, "cut before it had an interval");
}

TEST(compare, launches_that_were_cut_count_and_are_told) {
  auto base = launches({4, 4, 4}), now = launches({8, 8, 8});
  base[1].points[0].status = record::Status::partial;
  for (const std::size_t i : {0U, 2U}) now[i].points[0].status = record::Status::partial;
  const auto found = compare(base, now);
  EXPECT_EQ(found.points[0].base_launches, 3U);
  EXPECT_TRUE(found.points[0].remark.starts_with(
      "1 of 3 launches of the base was cut short; 2 of 3 launches of the new were cut short"))
      << found.points[0].remark;
  for (const std::string& text :
       {formats::tables_text(tables(found), 300), formats::tables_csv(tables(found), "points")})
    EXPECT_NE(text.find("2 of 3 launches of the new were cut short"), std::string::npos) << text;
  EXPECT_TRUE(compare(std::span(base).subspan(1, 1), launches({8.0}))
                  .points[0]
                  .remark.starts_with("cut short in the base; "));
}

TEST(compare, resampling_agrees_with_the_ranks) {
  Options options;
  options.bootstrap = 1000;
  const auto found =
      compare(launches({4.10, 4.12, 4.08, 4.15, 4.11}), launches({4.31, 4.29, 4.35, 4.27, 4.40}), options);
  EXPECT_NEAR(found.points[0].interval->low, 1.035, 0.015);
  EXPECT_NEAR(found.points[0].interval->high, 1.07, 0.015);
}

TEST(compare, resampling_few_launches_shows_no_less_than_their_spread) {
  Options options;
  options.launch_sd = 0.05;
  const auto one = launches({1.00}), other = launches({1.03});
  const Point plain = compare(one, other, options).points.at(0);
  options.bootstrap = 500;
  const Point drawn = compare(one, other, options).points.at(0);
  EXPECT_EQ(drawn.verdict, Verdict::unclear);
  EXPECT_EQ(drawn.interval->low, plain.interval->low);
  EXPECT_EQ(drawn.interval->high, plain.interval->high);
  options.launch_sd.reset();
  EXPECT_EQ(compare(launches({1.00, 1.01}), launches({1.03, 1.02}), options).points.at(0).verdict,
            Verdict::unclear);
  options.launches = Launches::paired;
  const auto [base, now] = drifting(3);
  EXPECT_GT(compare(base, now, options).points.at(0).interval->high, 1.1);
}

TEST(compare_tables, shares_that_the_user_said_are_told_with_all_their_digits) {
  Options options;
  options.threshold = 0.025;
  options.alpha = 0.015;
  options.launch_sd = 0.035;
  const auto sections = tables(compare(launches({4.0}), launches({4.2}), options));
  const std::string text = formats::tables_text(sections);
  EXPECT_NE(text.find("(threshold 2.5 %, false discovery rate 1.5 %)"), std::string::npos) << text;
  EXPECT_NE(text.find("differ by 3.5 %"), std::string::npos) << text;
}

TEST(compare_tables, neighbouring_points_are_one_finding_in_every_form) {
  std::vector<PointRecord> base, now;
  for (const int size : {1, 2, 4}) {
    base.push_back(point("Bcast", size, us));
    now.push_back(point("Bcast", size, 1.5 * us));
  }
  const auto sections = tables(compare(std::vector{run(base)}, std::vector{run(now)}, known()));
  const std::string text = formats::tables_text(sections), csv = formats::tables_csv(sections, "points");
  EXPECT_NE(text.find("slower from 1 B to 4 B: 1.500 .. 1.500"), std::string::npos) << text;
  EXPECT_NE(text.find("3 slower, 0 same of 3 points (threshold 5 %, false discovery rate 1 %)"),
            std::string::npos)
      << text;
  EXPECT_NE(csv.find(",Bcast,2,time_s,s,1e-06,"), std::string::npos) << csv;
}

TEST(compare_tables, points_are_named_by_what_tells_them_apart) {
  std::vector<PointRecord> points;
  for (const int size : {1, 2, 4}) {
    points.push_back(point("Exchange", size, us));
    points.back().params["count_byte"] = std::int64_t{4} * size;
  }
  const std::string text =
      formats::tables_text(tables(compare(std::vector{run(points)}, std::vector{run(points)}, known())));
  EXPECT_NE(text.find("\n  4 B  1.00 us"), std::string::npos) << text;
  EXPECT_EQ(text.find("16 B"), std::string::npos) << text;
}

PointRecord of_a_pattern(const char* metric, double value) {
  PointRecord record = point("b_eff", 8, 1);
  record.suite = "b-eff";
  record.primary = metric;
  record.lower_is_better = false;
  record.metrics = {{metric, value}};
  return record;
}

PointRecord imported_pattern(double value) {
  PointRecord record = of_a_pattern("bandwidth_per_process_byte_s", value);
  record.schedule->rule = "imported";
  record.flags = {"imported"};
  record.imported = record::Json{{"line", 1}, {"over_time", "best"}, {"over_ranks", "min"}};
  return record;
}

TEST(compare, a_text_names_no_machine_but_what_it_or_its_reader_says) {
  const auto text = [](const char* name, record::Json machine) {
    Launch one = run({imported_pattern(100)});
    one.head.name = name;
    one.head.imported = record::Json{{"program", "OSU micro-benchmarks"}, {"release", "5.6.3"}};
    one.head.machine = std::move(machine);
    return one;
  };
  const auto name_of = [](const Launch& one) {
    for (const auto& aspect : aspects_of(one.head))
      if (std::string_view(aspect.name) == "machine name") return aspect.value;
    return std::string("no aspect");
  };
  const char* program = "OSU micro-benchmarks 5.6.3";
  EXPECT_EQ(name_of(text(program, record::Json::object())), "");
  EXPECT_EQ(name_of(text(program, {{"hostname", "n1"}})), "n1");
  EXPECT_EQ(name_of(text(program, {{"hostname", "n1"}, {"name", "cluster A"}})), "cluster A");
  EXPECT_EQ(name_of(text("delivery", record::Json::object())), "delivery");
  EXPECT_EQ(name_of(text("OSU micro-benchmarks of delivery", record::Json::object())),
            "OSU micro-benchmarks of delivery");
  const auto called = text(program, {{"hostname", "n1"}, {"name", "cluster A"}});
  EXPECT_TRUE(RunFilter::parse("machine=cluster*").accepts(called.head));
  EXPECT_FALSE(RunFilter::parse("machine=OSU*").accepts(called.head));
  EXPECT_EQ(name_of(run({})), "vm");
}

TEST(compare, points_of_different_metrics_have_no_ratio) {
  const auto found = compare(std::vector{run({of_a_pattern("bandwidth_byte_s", 200)})},
                             std::vector{run({of_a_pattern("bandwidth_per_process_byte_s", 100)})});
  const Point& only = found.points.at(0);
  EXPECT_EQ(only.verdict, Verdict::unclear);
  EXPECT_FALSE(only.ratio || only.base || only.now);
  EXPECT_EQ(only.remark, "not measured alike: metric: bandwidth_byte_s and bandwidth_per_process_byte_s");
  EXPECT_TRUE(found.means.empty());
}

TEST(compare, a_protocol_of_b_eff_meets_our_number_of_its_definition) {
  PointRecord own = of_a_pattern("bandwidth_byte_s", 200);
  own.classic.emplace_back("min_byte_s", std::vector<double>{90, 100});
  Options options;
  options.figures = true;
  const auto there = compare(std::vector{run({own})}, std::vector{run({imported_pattern(100)})}, options);
  const auto back = compare(std::vector{run({imported_pattern(100)})}, std::vector{run({own})}, options);
  for (const Comparison* found : {&there, &back}) {
    const Point& only = found->points.at(0);
    EXPECT_EQ(only.metric, "bandwidth_per_process_byte_s");
    EXPECT_EQ(only.ratio, 1.0);
    EXPECT_EQ(only.verdict, Verdict::same);
  }
}

std::string csv_of(const Comparison& compared) {
  return formats::tables_csv(tables(compared), "points") + formats::tables_text(tables(compared));
}

TEST(observations, of_points_that_do_not_stay_are_compared_as_the_runs) {
  auto base = launches({4.0, 4.1, 4.2}), now = launches({4.3, 4.4, 4.5});
  now[0].points[0].verified = false;
  now[1].points.push_back(point("Reduce", 8, 3 * us));
  now[2].points[0].schedule->timing = "each";
  for (Launch* one : {&base[1], &now[0]}) one->points.push_back(point("Allreduce", 16, 2 * us));
  base[2].points[0].status = record::Status::skipped;
  Observations taken({});
  for (const auto& [runs, side] :
       {std::pair{&base, Observations::Side::base}, {&now, Observations::Side::now}})
    for (const Launch& one : *runs) {
      taken.begin(side, one.head);
      for (const PointRecord& kept : one.points) {
        const PointRecord passing = kept;
        taken.add(passing);
      }
    }
  EXPECT_EQ(csv_of(compare(std::move(taken))), csv_of(compare(base, now)));
}

TEST(observations, of_another_program_need_its_records) {
  Observations taken({});
  taken.begin(Observations::Side::base, {});
  EXPECT_THROW(taken.add(imported_pattern(1)), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::comparison
