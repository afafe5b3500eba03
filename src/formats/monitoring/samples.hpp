// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Families of samples as monitoring systems read them: Prometheus text 0.0.4 and OpenMetrics 1.0.
namespace steelyard::formats {

using SampleLabels = std::vector<std::pair<std::string, std::string>>;

struct Sample {
  SampleLabels labels;
  double value = 0;
  std::optional<double> at_s;  // since 1970; for OpenMetrics only
};

/// Family of a gauge: written once, its samples together.
struct SampleFamily {
  std::string name, help;
  std::string unit;  // the name ends with it; empty: none
  std::vector<Sample> samples;
};

/// Prometheus text without times, which the file collector of a node refuses. Families without samples are left out.
[[nodiscard]] std::string prometheus_text(std::span<const SampleFamily> families);
/// OpenMetrics text with times in seconds, ascending per series, units, and the closing line. Of several samples of one
/// series at one time the last one counts.
[[nodiscard]] std::string open_metrics_text(std::span<const SampleFamily> families);

/// Value of a label between quotes: backslash, quote and line end escaped.
[[nodiscard]] std::string label_text(std::string_view text);

}  // namespace steelyard::formats
