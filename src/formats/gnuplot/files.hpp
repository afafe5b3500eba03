// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tables.hpp"
#include "record/file.hpp"

namespace steelyard::formats {

struct NamedText {
  std::string name;  // of a file, without folder
  std::string text;
};

/// Data and scripts for gnuplot: `gnuplot NAME.gp` writes NAME.svg. Plots of the points: every benchmark over
/// message lengths, times apart from rates and from overlap, and over processes; b_eff by pattern and method;
/// b_eff_io by type and chunk; HPC Challenge by unit; pairs of processes. Plots of the tables that the report
/// has beside the points, known by their id: b_eff along its paths, over lengths and by pattern, b_eff_io by
/// type, FTIO's phases and share of I/O, speed and clocks over the run. Empty if there is nothing to draw.
[[nodiscard]] std::vector<NamedText> gnuplot_files(const record::Run& run, const analysis::Tables& tables);

/// Kind of chart of the report, and its counterpart here.
struct ReportChart {
  std::string_view chart;     // its name in the source of the page
  std::string_view plot;      // part of the names of its plots; empty if it has none
  std::string_view left_out;  // its content then, and where its numbers are; the same for charts of a kind
};

/// All charts of the report.
[[nodiscard]] std::span<const ReportChart> report_charts();

/// Charts of the report that have no plot here, in words, each once.
[[nodiscard]] std::vector<std::string_view> gnuplot_leaves_out();

}  // namespace steelyard::formats
