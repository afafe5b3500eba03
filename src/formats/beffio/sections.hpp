// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "formats/beffio/files.hpp"

/// Parts of the texts of b_eff_io. Internal to this folder.
namespace steelyard::formats::beffio {

/// Source of all parts.
struct Source {
  const record::RunRecord& head;
  const analysis::BeffioRun& run;
  const analysis::BeffioFrame& frame;
  std::optional<double> elapsed_s;
  const BeffioFilesOptions& options;
  /// Number of partitions that the user asked for.
  [[nodiscard]] std::size_t partitions() const { return frame.partitions.value_or(run.partitions().size()); }
};

/// Program, memory, options, system, date.
[[nodiscard]] std::string head(const Source& source);
/// All patterns in the order of the measurement, with totals.
[[nodiscard]] std::string protocol(const Source& source);
/// Tables, values and verdict of one partition.
[[nodiscard]] std::string partition(const Source& source, const analysis::BeffioPartition& partition);
/// Result of the best partition.
[[nodiscard]] std::string last_line(const Source& source);

/// Words shared by several parts.
[[nodiscard]] std::string mebibytes_per_process(const Source& source, int width);
/// M_PART at the axis and in the sub-title: "3M".
[[nodiscard]] std::string largest_chunk(const Source& source);
[[nodiscard]] std::string release(const Source& source);
/// ", with 3 ERRORS --!--!--!--"; empty without errors.
[[nodiscard]] std::string errors(std::int64_t count);

/// x positions of the rows of the table, pseudo-logarithmic.
inline constexpr std::array<int, 7> x_positions = {1, 2, 4, 5, 7, 8, 10};

/// Data of the figures: for every partition and access method a data set, a row per position.
[[nodiscard]] std::string plot_data(const Source& source);
[[nodiscard]] std::string gnuplot_script(const Source& source);

}  // namespace steelyard::formats::beffio
