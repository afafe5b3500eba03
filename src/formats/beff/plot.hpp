// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "formats/beff/figures.hpp"
#include "formats/beff/sections.hpp"

/// What becomes the figures and the report. Of this room alone.
namespace steelyard::formats::beff {

/// Data sets of all figures, separated by two blank lines: length, then one column per curve in MB/s; NaN
/// where nothing was measured.
[[nodiscard]] std::string plot_data(const analysis::BeffRun& run, const std::vector<Figure>& figures);

/// Script for gnuplot 4.6 and later that draws the figures from PREFIX.plot in the same directory.
[[nodiscard]] std::string gnuplot_script(const analysis::BeffRun& run, const std::vector<Figure>& figures,
                                         const BeffFilesOptions& options);

/// Source for LaTeX with dvips: results, then the figures, two on a page.
[[nodiscard]] std::string latex_report(const Source& source, const std::vector<Figure>& figures);

}  // namespace steelyard::formats::beff
