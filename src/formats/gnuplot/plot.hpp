// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/gnuplot/files.hpp"

/// One picture before it is text for gnuplot. Of this room alone.
namespace steelyard::formats::gnuplot {

/// A value with its interval; low and high equal y where there is none. Values in base units.
struct Dot {
  double x = 0, y = 0, low = 0, high = 0;
};

struct Curve {
  std::string title;  // empty: not in the key
  std::vector<Dot> dots = {};
  int colour = 0;  // 0: the next one; curves of one colour belong together
};

/// How an axis runs. lengths: bytes, logarithmic, what has none stands at half a byte; share: from 0 to 1.
enum class Axis { linear, logarithmic, lengths, processes, share, percent };

/// lines: over x. marks: a line of its own for every name, values along x. bars: stacked, a bar a name. image:
/// one curve of dots of ranks (from, to, value in `low` and `high`).
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

/// Letters, digits, strokes.
[[nodiscard]] std::string file_name(std::string_view words);

/// Data and script. Points that a logarithmic axis cannot show are left out; empty where nothing remains.
[[nodiscard]] std::vector<NamedText> texts(const Plot& plot);

/// The same curves in several plots where they are more than a key holds: NAME, NAME_2, ...
[[nodiscard]] std::vector<Plot> divided(Plot plot);

// What is drawn of a run. Of this room alone.

/// Benchmarks with lengths: times, rates and overlap over them, time over processes; those without lengths in
/// one plot of their suite. IMB in all its parts, and suites that nobody knows.
[[nodiscard]] std::vector<Plot> length_plots(const record::Run& run);
/// b_eff: every pattern with its best method, and the methods.
[[nodiscard]] std::vector<Plot> beff_plots(const record::Run& run);
/// b_eff_io: a plot per pattern type, over the chunks in their order.
[[nodiscard]] std::vector<Plot> chunk_plots(const record::Run& run);
/// HPC Challenge: what is told in one unit, side by side.
[[nodiscard]] std::vector<Plot> hpcc_plots(const record::Run& run);
/// Latency and bandwidth of every pair of processes.
[[nodiscard]] std::vector<Plot> pair_plots(const record::Run& run);
/// What the report's tables hold beside the points.
[[nodiscard]] std::vector<Plot> table_plots(const analysis::Tables& tables);

/// A metric of a point as a dot at x; nothing where it has none.
[[nodiscard]] std::optional<Dot> dot_of(const record::PointRecord& point, std::string_view metric, double x);
/// A parameter or classic value as a word; empty where there is none.
[[nodiscard]] std::string word_of(const record::PointRecord& point, std::string_view name);
/// The same as a number.
[[nodiscard]] std::optional<double> number_of(const record::PointRecord& point, std::string_view name);
/// "1 process", "4 processes".
[[nodiscard]] std::string processes_word(int processes);
/// The curve of that title, made at the end of the list if it is not there.
[[nodiscard]] Curve& curve_of(std::vector<Curve>& curves, const std::string& title);
/// Place of a name in a list, put at its end if it is not there.
[[nodiscard]] double place_of(std::vector<std::string>& names, const std::string& name);

}  // namespace steelyard::formats::gnuplot
