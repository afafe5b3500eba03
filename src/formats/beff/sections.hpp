// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/beff_run.hpp"
#include "formats/beff/files.hpp"

/// Parts of b_eff's files. Of this room alone.
namespace steelyard::formats::beff {

/// What the files are made from.
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

/// The last line of the text files, without its line end.
[[nodiscard]] std::string last_line(const Source& source);

}  // namespace steelyard::formats::beff
