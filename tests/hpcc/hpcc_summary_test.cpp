// SPDX-License-Identifier: Apache-2.0
#include "analysis/hpcc_summary.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "record/json.hpp"
#include "suites/hpcc/summary_keys.hpp"

namespace steelyard::analysis {
namespace {

using record::PointRecord;
using record::Status;
using record::Value;

PointRecord point(const std::string& benchmark, record::Members classic) {
  PointRecord made;
  made.suite = "hpcc";
  made.benchmark = benchmark;
  made.processes = 4;
  made.verified = true;
  made.classic = std::move(classic);
  return made;
}

std::vector<PointRecord> a_few() {
  return {point("StarSTREAM", {{"STREAM_VectorSize", std::int64_t{1000}}, {"StarSTREAM_Triad", 12.5}}),
          point("PTRANS", {{"PTRANS_n", std::int64_t{100}}, {"PTRANS_GBs", 3.0}}),
          point("PTRANS", {{"PTRANS_n", std::int64_t{200}}, {"PTRANS_GBs", 2.0}})};
}

Value classic(const record::SummaryRecord& summary, std::string_view name) {
  const auto* found = record::find(summary.classic, name);
  return found == nullptr ? Value(std::string("missing")) : *found;
}

TEST(hpcc_summary, holds_every_key_in_order_with_the_initial_value_for_what_was_not_measured) {
  const auto summary = hpcc_summary(a_few()).value();
  std::size_t at = 0;
  for (const auto& key : hpcc::summary_keys()) EXPECT_EQ(summary.classic.at(at++).first, key.name);
  EXPECT_EQ(classic(summary, "StarSTREAM_Triad"), Value(12.5));
  EXPECT_EQ(classic(summary, "STREAM_VectorSize"), Value(std::int64_t{1000}));
  EXPECT_EQ(classic(summary, "StarDGEMM_Gflops"), Value(-1.0));
  EXPECT_EQ(classic(summary, "Success"), Value(std::int64_t{1}));
}

TEST(hpcc_summary, fastest_combination_of_ptrans_gives_all_its_keys) {
  const auto summary = hpcc_summary(a_few()).value();
  EXPECT_EQ(classic(summary, "PTRANS_GBs"), Value(3.0));
  EXPECT_EQ(classic(summary, "PTRANS_n"), Value(std::int64_t{100}));
}

TEST(hpcc_summary, values_are_in_units_without_prefix_and_absent_where_nothing_was_measured) {
  const auto summary = hpcc_summary(a_few()).value();
  ASSERT_EQ(summary.values.size(), 2U);
  EXPECT_EQ(summary.values[0].first, "ptrans_byte_s");
  EXPECT_EQ(std::get<double>(summary.values[1].second), 12.5e9);
}

TEST(hpcc_summary, test_that_fails_or_is_left_out_is_no_success) {
  auto points = a_few();
  points.front().verified = false;
  EXPECT_EQ(classic(hpcc_summary(points).value(), "Success"), Value(std::int64_t{0}));
  points = a_few();
  points.back().status = Status::skipped;
  const auto summary = hpcc_summary(points).value();
  EXPECT_EQ(classic(summary, "Success"), Value(std::int64_t{0}));
  EXPECT_EQ(summary.inputs_missing, 1);
  EXPECT_FALSE(summary.official.value());
}

/// All tests of a base run that have a schedule of their own.
std::vector<PointRecord> base_run() {
  auto points = a_few();
  for (const char* name : {"HPL", "MPIRandomAccess", "LatencyBandwidth"})
    points.push_back(point(name, {{"Sy_run", std::string("base")}}));
  return points;
}

std::vector<std::string> reasons_against(const std::vector<PointRecord>& points,
                                         const HpccFrame& frame = {}) {
  const auto summary = hpcc_summary(points, frame).value();
  EXPECT_EQ(summary.official.value(), summary.not_official_because.empty());
  return summary.not_official_because;
}

using Reasons = std::vector<std::string>;

TEST(hpcc_summary, schedule_of_the_rules_is_official) {
  HpccFrame frame;
  EXPECT_EQ(reasons_against(base_run(), frame), Reasons{});
  frame.schedule = {10, 5, 30, 1.0, 60.0};
  frame.threshold = 16;
  frame.benchmarks = {"HPL", "PTRANS"};
  EXPECT_EQ(reasons_against(base_run(), frame), Reasons{});
}

TEST(hpcc_summary, every_part_of_a_shorter_schedule_is_a_reason) {
  HpccFrame frame;
  frame.schedule = {3, 2, 5, 0.0625, 10.0};
  EXPECT_EQ(reasons_against(base_run(), frame),
            (Reasons{"STREAM: fewer than 10 trials", "PTRANS: fewer than 5 placements",
                     "latency: fewer than 30 random rings",
                     "RandomAccess: 6.25 % of the updates that its table asks for",
                     "MPIRandomAccess: a bound below 60.0 s"}));
  EXPECT_EQ(reasons_against({base_run()[3]}, frame), Reasons{});  // the linear solver alone
}

TEST(hpcc_summary, more_processes_than_processors_are_a_reason_once) {
  auto points = base_run();
  for (auto& point : points) point.flags = {"oversubscribed"};
  EXPECT_EQ(reasons_against(points), Reasons{"more processes than cores"});
}

TEST(hpcc_summary, what_a_test_lacks_is_a_reason) {
  auto points = base_run();
  points[1].verified = points[2].verified = false;
  points[0].flags = {"smaller_than_the_rules_ask"};
  HpccFrame frame;
  frame.threshold = 0;
  frame.benchmarks = {"HPL", "MPIFFT"};
  EXPECT_EQ(reasons_against(points, frame),
            (Reasons{"without a threshold above 0 residuals are not checked", "MPIFFT has no result",
                     "StarSTREAM is smaller than the rules ask", "PTRANS failed its verification"}));
}

TEST(hpcc_summary, keys_of_our_own_follow_those_of_the_suite) {
  auto points = a_few();
  points.front().classic.emplace_back("Sy_advice", std::string("none"));
  HpccFrame frame;
  frame.version = "1.2.3";
  const auto summary = hpcc_summary(points, frame).value();
  EXPECT_EQ(classic(summary, "Sy_advice"), Value(std::string("none")));
  EXPECT_EQ(summary.classic.at(hpcc::summary_keys().size()).first, "Sy_version");
}

TEST(hpcc_summary, library_is_named_only_where_it_computed_the_transforms) {
  HpccFrame frame;
  frame.transforms = "FFTW";
  frame.transforms_version = "fftw-3.3.10";
  const auto summary = [&](const std::string& used) {
    return hpcc_summary(std::vector{point("StarFFT", {{"FFT_API", used}, {"Sy_FFT", used}})}, frame).value();
  };
  const auto own = summary("steelyard"), library = summary("FFTW3");
  EXPECT_EQ(classic(own, "FFT_API"), Value(std::string("steelyard")));
  EXPECT_EQ(classic(own, "CPS_USING_FFTW"), Value(std::int64_t{0}));
  EXPECT_EQ(classic(own, "Sy_FFT"), Value(std::string("steelyard")));
  EXPECT_EQ(classic(library, "CPS_USING_FFTW"), Value(std::int64_t{1}));
  EXPECT_EQ(classic(library, "Sy_FFT"), Value(std::string("FFTW fftw-3.3.10")));
  EXPECT_EQ(classic(hpcc_summary(a_few(), frame).value(), "Sy_FFT"), Value(std::string("FFTW fftw-3.3.10")));
}

TEST(hpcc_summary, frame_is_read_from_the_run_record) {
  record::RunRecord run;
  run.config.json() = {{"hpcc",
                        {{"grid_rows", {1.0, 2.0}},
                         {"grid_columns", {2.0, 3.0}},
                         {"threshold", 8.0},
                         {"stream_trials", 4},
                         {"placements", 2},
                         {"ring_patterns", 5},
                         {"updates_share", 0.25},
                         {"update_bound_s", 10.0},
                         {"memory_code", 2},
                         {"memory_said_mebibyte", 5.0},
                         {"memory_process_mebibyte", 10.0}}}};
  run.plan_sequence = {"imb-mpi1/PingPong", "hpcc/HPL"};
  run.clock.json() = {{"mpi_wtime", {{"tick_s", 1e-6}}}};
  const auto frame = hpcc_frame(run);
  EXPECT_EQ(frame.most_processes, 6);
  EXPECT_EQ(frame.least_processes, 2);
  EXPECT_EQ(frame.threshold, 8.0);
  EXPECT_EQ(frame.tick_s, 1e-6);
  const auto& schedule = frame.schedule;
  EXPECT_EQ(schedule.stream_trials, 4);
  EXPECT_EQ(schedule.placements, 2);
  EXPECT_EQ(schedule.ring_patterns, 5);
  EXPECT_EQ(schedule.updates_share, 0.25);
  EXPECT_EQ(schedule.update_bound_s, 10.0);
  EXPECT_EQ(frame.benchmarks, std::vector<std::string>{"HPL"});
  const auto values = hpcc_general_values(frame, 4);
  EXPECT_EQ(*record::find(values, "MemSpec"), Value(std::int64_t{2}));
  EXPECT_EQ(*record::find(values, "MemProc"), Value(10.0));
  EXPECT_EQ(*record::find(values, "HPL_sMACH_MLEN"), Value(24.0));
  EXPECT_EQ(*record::find(values, "dweps"), Value(0x1p-53));
}

TEST(hpcc_summary, run_without_any_result_has_one_that_says_so) {
  auto points = a_few();
  for (auto& one : points) one.status = Status::skipped;
  const auto summary = hpcc_summary(points).value();
  EXPECT_EQ(classic(summary, "Success"), Value(std::int64_t{0}));
  EXPECT_EQ(classic(summary, "PTRANS_GBs"), Value(-1.0));
  EXPECT_TRUE(summary.values.empty());
}

TEST(hpcc_summary, other_suites_have_none) {
  auto points = a_few();
  for (auto& one : points) one.suite = "imb-mpi1";
  EXPECT_FALSE(hpcc_summary(points).has_value());
}

}  // namespace
}  // namespace steelyard::analysis

namespace steelyard::hpcc {
namespace {

TEST(summary_keys, names_are_unique_and_found) {
  std::set<std::string_view> names;
  for (const auto& key : summary_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(summary_key(key.name), &key);
  }
  EXPECT_EQ(summary_key("HPL_tflops"), nullptr);
}

TEST(summary_keys, what_was_not_measured_is_told_by_the_initial_value) {
  EXPECT_EQ(summary_key("StarSTREAM_Triad")->initial, -1);
  EXPECT_EQ(summary_key("STREAM_Threads")->initial, 1);
  EXPECT_EQ(summary_key("MPIFFT_time3")->initial, 0);
}

TEST(summary_keys, both_generators_have_nine_keys_of_the_distributed_table) {
  int polynomial = 0, congruential = 0;
  for (const auto& key : summary_keys()) {
    polynomial += key.test == "MPIRandomAccess" ? 1 : 0;
    congruential += key.test == "MPIRandomAccess_LCG" ? 1 : 0;
  }
  EXPECT_EQ(polynomial, 9);
  EXPECT_EQ(congruential, 9);
}

TEST(summary_keys, a_figure_is_written_in_the_unit_of_its_key_and_read_back) {
  record::PointRecord record;
  put_figure(record, "HPL_Tflops", 2.5e12);
  put_figure(record, "MaxPingPongLatency_usec", 3e-6);
  put_figure(record, "PTRANS_time", 7);
  put_figure(record, "Sy_core_peak_Gflops", 40e9);
  const double written[] = {2.5, 3, 7, 40}, base[] = {2.5e12, 3e-6, 7, 40e9};
  for (std::size_t i = 0; i < std::size(written); ++i) {
    const auto& [key, value] = record.classic.at(i);
    EXPECT_DOUBLE_EQ(record::number(value), written[i]) << key;
    EXPECT_DOUBLE_EQ(in_base_units(key, record::number(value)), base[i]) << key;
  }
  EXPECT_THROW(put_figure(record, "HPL_Gflops", 1), std::out_of_range);
  EXPECT_THROW(static_cast<void>(in_base_units("HPL_Gflops", 1)), std::out_of_range);
  EXPECT_FALSE(key_unit("HPL_Gflops"));
}

// A unit that the table of scaled ones does not have would be taken for a base unit.
TEST(summary_keys, every_unit_is_a_base_unit_or_has_a_size) {
  const std::set<std::string_view> base = {"",         "s",      "byte",   "words",
                                           "elements", "flop/s", "byte/s", "update/s"};
  for (const auto& key : summary_keys())
    EXPECT_TRUE(base.contains(key_unit(key.name).value().base)) << key.unit;
}

// Keys of other releases are read by their ending: it must say what the table says.
TEST(summary_keys, endings_tell_the_unit_of_the_table) {
  std::size_t told = 0;
  for (const auto& key : summary_keys())
    if (const auto unit = unit_by_ending(key.name)) {
      ++told;
      EXPECT_EQ(unit->base, key_unit(key.name)->base) << key.name;
      EXPECT_EQ(unit->size, key_unit(key.name)->size) << key.name;
    }
  EXPECT_GT(told, 15u);
  EXPECT_EQ(unit_by_ending("BatchedDGEMM_Gflops")->base, "flop/s");
  EXPECT_FALSE(unit_by_ending("Rounds"));
}

}  // namespace
}  // namespace steelyard::hpcc
