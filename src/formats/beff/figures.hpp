// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/beff_run.hpp"

/// The ten figures of b_eff as data: the data file, the script and the report all follow this list. Of this
/// room alone.
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

/// Curves of a single method end before the last two lengths where those were shortened.
[[nodiscard]] std::vector<Figure> figures(const analysis::BeffRun& run);

/// "epsfig0.eps", ... of figure i.
[[nodiscard]] std::string figure_file(std::size_t i);

}  // namespace steelyard::formats::beff
