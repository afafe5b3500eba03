// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "analysis/beff_run.hpp"
#include "formats/named_files.hpp"
#include "record/records.hpp"

namespace steelyard::formats {

struct BeffFilesOptions {
  /// Base name of the files, without directories; the plot script names the data file by it.
  std::string prefix = "b_eff";
  /// Range of the bandwidth axis, MB/s; nullopt = 0.01 to a power of ten above the largest value, at least 10000.
  std::optional<std::pair<double, double>> y_range = {};
  bool colour = false;
};

/// The six files of b_eff. Text is ASCII; other bytes from the system became '?'.
struct BeffFiles {
  std::string prot, shorter, sum, plot, gps, tex;
  std::string last_line;  // of the first three, without the line end
  [[nodiscard]] std::array<NamedFile, 6> named() const {
    return {
        {{".prot", prot}, {".short", shorter}, {".sum", sum}, {".plot", plot}, {".gps", gps}, {".tex", tex}}};
  }
};

/// Files of one run. `elapsed_s`: that of the run's end record. Sections, data rows and last line are those of
/// the published release; explanatory lines are ours. Source: b_eff 3.6 page, "Output of the beff Benchmark".
[[nodiscard]] BeffFiles beff_files(const record::RunRecord& head, const analysis::BeffRun& run,
                                   const analysis::BeffFrame& frame, std::optional<double> elapsed_s,
                                   const BeffFilesOptions& options = {});

}  // namespace steelyard::formats
