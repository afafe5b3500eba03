// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/beff_run.hpp"
#include "formats/beff/files.hpp"

/// Parts of b_eff's files. Internal to this folder.
namespace steelyard::formats::beff {

/// Source of the files.
struct Source {
  const record::RunRecord& head;
  const analysis::BeffRun& run;
  const analysis::BeffFrame& frame;
  record::SummaryRecord summary;
  std::optional<double> elapsed_s;
};

// Bodies of the sections, without their markers.
[[nodiscard]] std::string head(const Source& source);
[[nodiscard]] std::string loop(const Source& source);
[[nodiscard]] std::string loop_lengths(const Source& source);
[[nodiscard]] std::string values(const Source& source);
[[nodiscard]] std::string elapsed(const Source& source);
[[nodiscard]] std::string patterns(const Source& source);
[[nodiscard]] std::string by_methods(const Source& source);
[[nodiscard]] std::string by_repetitions(const Source& source);
[[nodiscard]] std::string by_method_and_length(const Source& source);
[[nodiscard]] std::string by_length(const Source& source);
[[nodiscard]] std::string by_pattern_and_length(const Source& source);
[[nodiscard]] std::string overview(const Source& source);

/// Last line of the text files, without its line end.
[[nodiscard]] std::string last_line(const Source& source);

// Table of results, for the text and for LaTeX. Internal to this folder.

/// One column: its heading, and its cells, "" if a row has none.
struct OverviewColumn {
  std::array<std::string_view, 4> heading;
  std::string_view unit;
  int gap = 0, width = 0;  // blanks before the cell, width of the cell
  std::string accumulated, per_process;
};

/// Columns of the table: number of processes, b_eff, Lmax, b_eff at Lmax (all; rings), latency (all; rings;
/// ping-pong), ping-pong bandwidth.
[[nodiscard]] std::vector<OverviewColumn> overview_columns(const Source& source);

}  // namespace steelyard::formats::beff
