// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/beff_run.hpp"
#include "formats/beff/sections.hpp"

/// The ten figures of b_eff as data: the data file, the script and the report all follow this list. Internal
/// to this folder.
namespace steelyard::formats::beff {

struct Curve {
  std::string name;
  std::vector<std::optional<double>> byte_s;  // of one process, by length
};

struct Figure {
  std::string data;  // of its data set in the data file
  std::string title;
  std::vector<Curve> curves;
};

/// Figures of a run. Curves of a single method end before the last two lengths if those were shortened.
[[nodiscard]] std::vector<Figure> figures(const analysis::BeffRun& run);

/// File name of figure i: "epsfig0.eps", ...
[[nodiscard]] std::string figure_file(std::size_t i);

// Texts of the figures and of the report. Internal to this folder.

/// Data sets of all figures, separated by two blank lines: length, then one column per curve in MB/s; NaN for
/// a value that was not measured.
[[nodiscard]] std::string plot_data(const analysis::BeffRun& run, const std::vector<Figure>& figures);

/// Script for gnuplot 4.6 and later that draws the figures from PREFIX.plot in the same directory.
[[nodiscard]] std::string gnuplot_script(const analysis::BeffRun& run, const std::vector<Figure>& figures,
                                         const BeffFilesOptions& options);

/// Source for LaTeX with dvips: results, then the figures, two on a page.
[[nodiscard]] std::string latex_report(const Source& source, const std::vector<Figure>& figures);

}  // namespace steelyard::formats::beff
