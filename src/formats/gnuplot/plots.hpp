// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formats/gnuplot/plot.hpp"

/// What is drawn of a run. Of this room alone.
namespace steelyard::formats::gnuplot {

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
