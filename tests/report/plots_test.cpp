// SPDX-License-Identifier: Apache-2.0
// Plots for gnuplot beside the charts of the page: what has a chart has a plot, or is named as left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "formats/gnuplot/plot.hpp"
#include "report/report.hpp"
#include "synthetic.hpp"

namespace steelyard::report {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The kinds of charts that the source of the page makes; "" for a figure that says none.
std::multiset<std::string> charts_of_the_page() {
  const std::regex made(R"re(\bfigure\(box, \{\s*(chart: "([^"]+)")?)re");
  std::multiset<std::string> charts;
  for (const auto& entry : std::filesystem::directory_iterator(WEB_SOURCES)) {
    if (entry.path().extension() != ".ts") continue;
    std::stringstream source;
    source << std::ifstream(entry.path()).rdbuf();
    const std::string text = source.str();
    for (std::sregex_iterator found(text.begin(), text.end(), made), end; found != end; ++found)
      charts.insert((*found)[2].str());
  }
  return charts;
}

std::vector<std::string> scripts_of(const record::Run& run) {
  ReportInput material;
  material.runs = {run};
  std::vector<std::string> names;
  for (const auto& file : formats::gnuplot_files(run, tables(parts(material))))
    if (file.name.ends_with(".gp")) names.push_back(file.name);
  return names;
}

TEST(report_plots, every_chart_of_the_page_is_listed_once) {
  std::multiset<std::string> listed;
  for (const auto& one : formats::report_charts()) listed.insert(std::string(one.chart));
  EXPECT_EQ(charts_of_the_page(), listed);
}

TEST(report_plots, what_has_a_plot_is_drawn_and_the_rest_is_named) {
  auto run = synthetic::run({});
  synthetic::add_times(run);
  const auto names = scripts_of(run);
  const auto named = formats::gnuplot_leaves_out();
  for (const auto& one : formats::report_charts()) {
    const bool drawn = std::ranges::any_of(
        names, [&](const std::string& name) { return name.find(one.plot) != std::string::npos; });
    if (one.plot.empty())
      EXPECT_THAT(named, Contains(one.left_out)) << one.chart;
    else
      EXPECT_TRUE(drawn) << one.chart;
    EXPECT_EQ(one.plot.empty(), !one.left_out.empty()) << one.chart;
  }
}

record::PointRecord transfer(int processes, std::int64_t bytes, std::int64_t pairs, const std::string& mode) {
  record::PointRecord point;
  point.suite = "imb-mt";
  point.benchmark = "UniBandMT";
  point.processes = processes;
  point.params = {{"message_byte", bytes}, {"pairs", pairs}, {"mode", mode}};
  record::Statistics time;
  time.median = 1e-6 * static_cast<double>(bytes + 1);
  point.metrics.emplace_back("time_s", time);
  return point;
}

std::string text_of(const record::Run& run, const std::string& name) {
  for (const auto& file : formats::gnuplot_files(run, {}))
    if (file.name == name) return file.text;
  return {};
}

TEST(report_plots, what_follows_from_the_processes_divides_no_curve) {
  record::Run run;
  for (const int processes : {2, 4})
    for (const char* mode : {"one", "two"})
      run.points.push_back(transfer(processes, 64, processes / 2, mode));
  EXPECT_THAT(text_of(run, "imb-mt_UniBandMT_time.gp"), HasSubstr("title '4 processes, mode two'"));
  EXPECT_THAT(text_of(run, "imb-mt_UniBandMT_processes.gp"), HasSubstr("title '64 B, mode one'"));
}

TEST(report_plots, common_number_of_processes_stands_above_the_curves) {
  record::Run run;
  for (const char* mode : {"one", "two"}) run.points.push_back(transfer(2, 64, 1, mode));
  const auto text = text_of(run, "imb-mt_UniBandMT_time.gp");
  EXPECT_THAT(text, HasSubstr("set title 'imb-mt/UniBandMT, 2 processes'"));
  EXPECT_THAT(text, HasSubstr("title 'mode two'"));
}

TEST(report_plots, numbers_of_threads_are_curves_of_their_own) {
  record::Run run;
  for (const int threads : {1, 4}) {
    run.points.push_back(transfer(2, 64, 1, "one"));
    run.points.back().threads = threads;
    run.points.back().metrics.emplace_back("overlap_percent", 10.0 * threads);
  }
  for (const char* name : {"imb-mt_UniBandMT_time.gp", "imb-mt_UniBandMT_overlap.gp"})
    EXPECT_THAT(text_of(run, name), HasSubstr("title '4 threads'")) << name;
}

TEST(report_plots, every_case_of_a_benchmark_without_lengths_has_a_line) {
  record::Run run;
  for (const char* mode : {"one", "two"}) {
    run.points.push_back(transfer(2, 64, 1, mode));
    run.points.back().benchmark = "Barrier";
    run.points.back().params.erase("message_byte");
  }
  const auto script = text_of(run, "imb-mt_without_lengths.gp");
  EXPECT_THAT(script, HasSubstr("'Barrier, 2 processes, mode one' 0"));
  EXPECT_THAT(script, HasSubstr("'Barrier, 2 processes, mode two' 1"));
}

/// Sets how the files of a run of FTIO were used.
void use_cache(record::PointRecord& point, const char* page_cache) {
  point.classic.emplace_back("file_access", "collective");
  point.classic.emplace_back("page_cache", page_cache);
}

TEST(report_plots, uses_of_files_by_ftio_have_bars_and_curves_of_their_own) {
  record::Run run = synthetic::run({});
  std::vector<record::PointRecord> others;
  for (auto& point : run.points)
    if (point.suite == "ftio") {
      others.push_back(point);
      use_cache(point, "keep");
      use_cache(others.back(), "drop");
    }
  const auto scripts_with = [&](std::string_view start) {
    std::vector<std::string> found;
    for (const std::string& name : scripts_of(run))
      if (name.starts_with(start)) found.push_back(name);
    return found;
  };
  EXPECT_THAT(scripts_with("ftio_phases_4_4096"), ::testing::ElementsAre("ftio_phases_4_4096.gp"));
  run.points.insert(run.points.end(), others.begin(), others.end());
  EXPECT_THAT(scripts_with("ftio_phases_4_4096"),
              ::testing::ElementsAre("ftio_phases_4_4096_collective__keep.gp",
                                     "ftio_phases_4_4096_collective__drop.gp"));
  ReportInput material{.runs = {run}};
  for (const auto& file : formats::gnuplot_files(run, tables(parts(material)))) {
    if (file.name != "ftio_share_of_io.gp") continue;
    EXPECT_THAT(file.text, HasSubstr("'alpha, collective, drop, 4 processes'"));
  }
}

TEST(report_plots, uses_of_files_by_ftio_are_told_where_each_number_of_processes_has_one) {
  record::Run run = synthetic::run({});
  std::vector<record::PointRecord> others;
  for (auto& point : run.points)
    if (point.suite == "ftio") {
      others.push_back(point);
      others.back().processes = 8;
      use_cache(point, "keep");
      use_cache(others.back(), "drop");
    }
  run.points.insert(run.points.end(), others.begin(), others.end());
  const ReportInput material{.runs = {run}};
  std::string script;
  for (const auto& file : formats::gnuplot_files(run, tables(parts(material))))
    if (file.name == "ftio_share_of_io.gp") script = file.text;
  EXPECT_THAT(script, HasSubstr("'alpha, collective, keep, 4 processes'"));
  EXPECT_THAT(script, HasSubstr("'alpha, collective, drop, 8 processes'"));
}

TEST(report_plots, chunks_of_b_eff_io_stand_in_their_order) {
  const auto script = text_of(synthetic::run({}), "b-eff-io_scatter.gp");
  EXPECT_THAT(script,
              HasSubstr("'1 KiB' 0, '1 KiB + 8' 1, '32 KiB' 2, '32 KiB + 8' 3, '1 MiB' 4, '1 MiB + 8' 5, "
                        "'4 MiB' 6, '1 MiB of 2 MiB' 7"));
}

TEST(report_plots, colours_of_pairs_reach_from_their_least_to_their_largest_value) {
  const auto script = text_of(synthetic::run({}), "pairs_bandwidth.gp");
  EXPECT_THAT(script, HasSubstr("set cbrange [1.96e+09:1.02e+10]"));
  EXPECT_THAT(script, HasSubstr("set xrange [-0.5:15.5]"));
}

/// Names of tics within the range of the axis.
std::size_t shown_tics(const std::string& script) {
  std::smatch range, list;
  std::regex_search(script, range, std::regex(R"(set xrange \[([^:]+):([^\]]+)\])"));
  std::regex_search(script, list, std::regex(R"(set xtics \(([^)]*)\))"));
  const std::string tics = list[1];
  const std::regex one("'[^']*' ([0-9.]+)");
  std::size_t count = 0;
  for (std::sregex_iterator tic(tics.begin(), tics.end(), one), end; tic != end; ++tic) {
    const double at = std::stod((*tic)[1]);
    if (at >= std::stod(range[1]) && at <= std::stod(range[2])) ++count;
  }
  return count;
}

TEST(report_plots, lengths_have_tics_however_few_or_many) {
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{4, 8, 16, 32}, {0, 32768}, {0, 1, std::int64_t{1} << 30}, {1024, 2048}}) {
    record::Run run;
    for (const auto bytes : lengths) run.points.push_back(transfer(2, bytes, 1, "one"));
    const auto count = shown_tics(text_of(run, "imb-mt_UniBandMT_time.gp"));
    EXPECT_GE(count, 2U) << lengths.back();
    EXPECT_LE(count, 13U) << lengths.back();
  }
}

TEST(report_plots, bars_begin_at_nothing) {
  ReportInput material;
  material.runs = {synthetic::run({})};
  std::size_t bars = 0;
  for (const auto& file : formats::gnuplot_files(material.runs.front(), tables(parts(material)))) {
    if (file.text.find("with boxes") == std::string::npos) continue;
    ++bars;
    EXPECT_THAT(file.text, HasSubstr("set yrange [0:*]")) << file.name;
  }
  EXPECT_GT(bars, 0U);
}

TEST(report_plots, names_of_files_are_there_once) {
  auto names = scripts_of(synthetic::run({}));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace steelyard::report
