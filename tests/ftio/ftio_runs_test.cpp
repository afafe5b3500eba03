// SPDX-License-Identifier: Apache-2.0
#include "analysis/ftio_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "analysis/warnings.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::PointRecord;
using testing::ElementsAre;
using testing::IsEmpty;

/// A run whose six phases take a second each, of which input and output take this share.
PointRecord point(std::int64_t parameter, std::int64_t run, double share) {
  PointRecord point;
  point.suite = "ftio";
  point.key = "ftio/FTIO;" + std::to_string(parameter) + ';' + std::to_string(run);
  point.processes = 2;
  point.verified = true;
  point.params = {{"input_parameter", parameter}, {"run", run}};
  const double order = static_cast<double>(2 * parameter * parameter);
  const std::vector<double> ones(6, 1), shares(6, share), none(6, 0);
  point.classic = {{"matrix_order", order},
                   {"matrix_byte", 16 * order * order},
                   {"phase_s", ones},
                   {"phase_io_s", shares},
                   {"phase_io_min_s", shares},
                   {"phase_io_max_s", shares},
                   {"phase_communication_s", none},
                   {"phase_read_byte", ones},
                   {"phase_written_byte", ones},
                   {"phase_calls", ones},
                   {"io_fraction", share},
                   {"io_fraction_without_init", share},
                   {"communication_fraction", 0.0},
                   {"total_s", 5.0},
                   {"flop_rate_flop_s", 1e6 * static_cast<double>(run)}};
  return point;
}

PointRecord failed(std::int64_t parameter, std::int64_t run) {
  PointRecord lost = point(parameter, run, 0.5);
  lost.status = record::Status::failed;
  lost.verified.reset();
  lost.classic.clear();
  return lost;
}

double value(const record::SummaryRecord& summary, std::string_view name) {
  for (const auto& [key, metric] : summary.values)
    if (key == name) return std::get<double>(metric);
  throw std::out_of_range(std::string(name));
}

}  // namespace

TEST(ftio_runs, means_and_deviations_are_those_of_each_size) {
  const PointRecord points[] = {point(4, 1, 0.25), point(8, 1, 0.5), point(8, 2, 0.6), point(8, 3, 0.7)};
  const FtioRuns runs(points);
  ASSERT_EQ(runs.sizes().size(), 2u);
  EXPECT_EQ(runs.sizes()[0].spread(&ftio::RunFigures::io_fraction).sd, 0);
  EXPECT_EQ(runs.largest(), &runs.sizes()[1]);
  const auto spread = runs.largest()->spread(&ftio::RunFigures::io_fraction);
  EXPECT_NEAR(spread.mean, 0.6, 1e-12);
  EXPECT_NEAR(spread.sd, 0.1, 1e-12);
  EXPECT_EQ(runs.largest()->first().sum().time_s, 5);  // without the verification
  EXPECT_FALSE(runs.largest()->cycles_per_flop());
}

TEST(ftio_runs, cycles_are_a_value_only_if_all_runs_have_them) {
  PointRecord first = point(4, 1, 0.5), second = point(4, 2, 0.5);
  first.classic.emplace_back("cycles_per_flop", 20.0);
  EXPECT_FALSE(FtioRuns(std::vector{first, second}).largest()->cycles_per_flop());
  second.classic.emplace_back("cycles_per_flop", 30.0);
  EXPECT_EQ(FtioRuns(std::vector{first, second}).largest()->cycles_per_flop()->mean, 25);
}

TEST(ftio_summary, is_that_of_the_largest_matrix) {
  const PointRecord points[] = {point(8, 1, 0.5), point(8, 2, 0.7), point(4, 1, 0.1)};
  const auto summary = ftio_summary(FtioRuns(points), {});
  EXPECT_DOUBLE_EQ(value(summary, "ftio_io_fraction"), 0.6);
  EXPECT_DOUBLE_EQ(value(summary, "ftio_flop_s"), 1.5e6);
  EXPECT_EQ(summary.params.at("input_parameter"), record::Value(std::int64_t{8}));
  EXPECT_EQ(summary.official, true);
  EXPECT_EQ(summary.verified, true);
  EXPECT_EQ(summary.inputs_used, 3);
  for (const auto& [name, metric] : summary.values) EXPECT_NE(record::metric_name(name), nullptr) << name;
}

TEST(ftio_summary, says_why_it_is_not_comparable) {
  std::vector<PointRecord> points = {point(4, 1, 0.5), failed(4, 2)};
  auto summary = ftio_summary(FtioRuns(points), {"files through MPI-IO"});
  EXPECT_THAT(summary.not_official_because,
              ElementsAre("files through MPI-IO", "runs that failed, were stopped or left out: 1"));
  points[0].verified = false;
  EXPECT_EQ(ftio_summary(FtioRuns(points), {}).verified, false);
  points[0].processes = 1;
  summary = ftio_summary(FtioRuns(std::span(points).first(1)), {});
  EXPECT_THAT(summary.not_official_because,
              ElementsAre("one process: nothing is exchanged", "the transform was wrong"));
}

TEST(ftio_summary, of_more_processes_than_processors_is_not_official) {
  PointRecord points[] = {point(8, 1, 0.5), point(8, 2, 0.7)};
  points[1].flags = {"oversubscribed"};
  EXPECT_THAT(ftio_summary(FtioRuns(points), {}).not_official_because,
              ElementsAre("more processes than cores"));
}

TEST(ftio_summary, of_a_matrix_in_the_page_cache_is_not_official) {
  PointRecord in_cache = point(4, 1, 0.5);
  const auto matrix_byte = FtioRuns(std::span(&in_cache, 1)).largest()->first().matrix_byte;
  in_cache.classic.emplace_back("page_cache", "keep");
  in_cache.classic.emplace_back("memory_byte", 2 * matrix_byte);
  EXPECT_THAT(ftio_summary(FtioRuns(std::span(&in_cache, 1)), {}).not_official_because,
              ElementsAre("the matrix fits into the memory, where its files can lie"));
  PointRecord beyond = point(4, 1, 0.5);
  beyond.classic.emplace_back("page_cache", "keep");
  beyond.classic.emplace_back("memory_byte", matrix_byte / 2);
  EXPECT_EQ(ftio_summary(FtioRuns(std::span(&beyond, 1)), {}).official, true);
}

TEST(ftio_summary, tells_of_a_file_system_in_memory_whatever_becomes_of_its_pages) {
  PointRecord dropped = point(4, 1, 0.5);
  dropped.classic.emplace_back("page_cache", "drop");
  record::RunRecord head;
  EXPECT_EQ(ftio_in_memory(head, std::span(&dropped, 1)), "");
  head.io = record::Json{{"medium", "memory"}};
  EXPECT_EQ(ftio_in_memory(head, std::span(&dropped, 1)), "the file system lies in memory");
}

TEST(ftio_summary, of_failures_alone_has_no_value) {
  const PointRecord points[] = {failed(4, 1)};
  const auto summary = ftio_summary(FtioRuns(points), {});
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(summary.values.front().second));
  EXPECT_FALSE(summary.verified);
  EXPECT_EQ(summary.official, false);
  EXPECT_EQ(summary.processes, 2);
}

TEST(ftio_runs, a_run_that_was_stopped_tells_its_phases_and_has_no_figures) {
  PointRecord stopped = failed(4, 2);
  stopped.status = record::Status::partial;
  stopped.reason.emplace().text = "stopped after phase B dft1";
  const std::array<ftio::PhaseFigures, 2> ended{};
  ftio::put_ended_phases({2, 4}, ended, stopped);
  EXPECT_EQ(std::get<std::vector<double>>(*record::find(stopped.classic, "phase_s")).size(), ended.size());
  EXPECT_FALSE(ftio::has_figures(stopped));
  EXPECT_EQ(FtioRuns(std::vector{point(4, 1, 0.5), stopped}).missing(), 1);
}

TEST(ftio_runs, points_that_lack_something_are_refused) {
  PointRecord lacks = point(4, 1, 0.5);
  std::erase_if(lacks.classic, [](const auto& member) { return member.first == "phase_calls"; });
  EXPECT_THROW(FtioRuns(std::vector{lacks}), std::invalid_argument);
  PointRecord other = point(4, 1, 0.5);
  other.suite = "b-eff-io";
  EXPECT_THROW(FtioRuns(std::vector{other}), std::invalid_argument);
}

TEST(ftio_departures, are_lines_of_the_configuration) {
  record::RunRecord head;
  EXPECT_THAT(ftio_departures(head), IsEmpty());
  head.config = record::Json{{"ftio", {{"not_official_because", "one\ntwo"}}}};
  EXPECT_THAT(ftio_departures(head), ElementsAre("one", "two"));
}

}  // namespace steelyard::analysis
