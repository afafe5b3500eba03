// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "analysis/beffio_run.hpp"
#include "formats/named_files.hpp"
#include "record/records.hpp"

namespace steelyard::formats {

struct BeffioFilesOptions {
  /// Base name of the files, without directories; the plot script names the data file by it.
  std::string prefix = "b_eff_io";
  std::string directory = ".";  // that was measured
  std::string hint_file = {};   // empty = none
  bool colour = false;
};

/// The files of b_eff_io. Text is ASCII; other bytes from the system became '?'.
struct BeffioFiles {
  std::string prot, sum, plot, gps;
  std::string last_line;  // of the first two, without the line end
  [[nodiscard]] std::array<NamedFile, 4> named() const {
    return {{{".prot", prot}, {".sum", sum}, {".plot", plot}, {".gps", gps}}};
  }
};

/// Files of one run. `elapsed_s`: that of the run's end record. Rows, tables and last line are those of the
/// published release, misspellings included; the rest is ours. Source: docs/suites/b-eff-io.md, "Files of a run".
[[nodiscard]] BeffioFiles beffio_files(const record::RunRecord& head, const analysis::BeffioRun& run,
                                       const analysis::BeffioFrame& frame, std::optional<double> elapsed_s,
                                       const BeffioFilesOptions& options = {});

}  // namespace steelyard::formats
