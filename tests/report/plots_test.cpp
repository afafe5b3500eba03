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

#include "formats/gnuplot/files.hpp"
#include "report/report.hpp"
#include "synthetic.hpp"

namespace steelyard::report {
namespace {

using ::testing::Contains;

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

TEST(report_plots, names_of_files_are_there_once) {
  auto names = scripts_of(synthetic::run({}));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace steelyard::report
