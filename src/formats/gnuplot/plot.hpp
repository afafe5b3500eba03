// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tables.hpp"
#include "record/file.hpp"

/// One picture before it becomes text for gnuplot. Internal to this folder.
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

namespace steelyard::formats::gnuplot {

/// Value with its interval; low and high equal y if there is none. Values in base units.
struct Dot {
  double x = 0, y = 0, low = 0, high = 0;
};

struct Curve {
  std::string title;  // empty: not in the key
  std::vector<Dot> dots = {};
  int colour = 0;  // 0: the next one; curves of one colour belong together
};

/// Scale of an axis. lengths: bytes, logarithmic, points without a length stand at half a byte; share: from 0 to 1.
enum class Axis { linear, logarithmic, lengths, processes, share, percent };

/// Shape of a plot. lines: over x. marks: a line of its own for every name, values along x. bars: stacked, a
/// bar a name. image: one curve of dots of ranks (from, to, value in `low` and `high`).
enum class Shape { lines, marks, bars, image };

struct Plot {
  std::string name;  // of its files, without ending
  std::string title;
  Shape shape = Shape::lines;
  std::string x_label = {};
  Axis x = Axis::lengths;
  std::string y_label = {};  // of the values
  std::string unit = {};     // base unit of the values: "s", "byte/s"
  Axis y = Axis::logarithmic;
  bool joined = true;  // dots of a line
  std::vector<Curve> curves = {};
  /// Names along the axis of positions 0, 1, ...: below a line, or beside marks and under bars.
  std::vector<std::string> names = {};
};

/// File name made from words: letters, digits, strokes.
[[nodiscard]] std::string file_name(std::string_view words);

/// Data and script of a plot. Points that a logarithmic axis cannot show are left out; empty if no point remains.
[[nodiscard]] std::vector<NamedText> texts(const Plot& plot);

/// Plots with the same curves, several if there are more than a key holds: NAME, NAME_2, ...
[[nodiscard]] std::vector<Plot> divided(Plot plot);

// Plots of a run. Internal to this folder.

/// Plots of benchmarks with lengths: times, rates and overlap over them, time over processes; those without
/// lengths in one plot of their suite. For all parts of IMB, and for unknown suites.
[[nodiscard]] std::vector<Plot> length_plots(const record::Run& run);
/// Plots of b_eff: every pattern with its best method, and the methods.
[[nodiscard]] std::vector<Plot> beff_plots(const record::Run& run);
/// Plots of b_eff_io, one per pattern type, over the chunks in their order.
[[nodiscard]] std::vector<Plot> chunk_plots(const record::Run& run);
/// Plots of HPC Challenge: results of one unit side by side.
[[nodiscard]] std::vector<Plot> hpcc_plots(const record::Run& run);
/// Plots of the latency and bandwidth of every pair of processes.
[[nodiscard]] std::vector<Plot> pair_plots(const record::Run& run);
/// Plots of the report's tables beside the points.
[[nodiscard]] std::vector<Plot> table_plots(const analysis::Tables& tables);

/// Metric of a point as a dot at x; nullopt if it has none.
[[nodiscard]] std::optional<Dot> dot_of(const record::PointRecord& point, std::string_view metric, double x);
/// Classic value or parameter as a word; empty if there is none.
[[nodiscard]] std::string word_of(const record::PointRecord& point, std::string_view name);
/// "1 process", "4 processes".
[[nodiscard]] std::string processes_word(int processes);
/// Curve of that title, made at the end of the list if it is not there.
[[nodiscard]] Curve& curve_of(std::vector<Curve>& curves, const std::string& title);
/// Place of a name in a list, put at its end if it is not there.
[[nodiscard]] double place_of(std::vector<std::string>& names, const std::string& name);

}  // namespace steelyard::formats::gnuplot
