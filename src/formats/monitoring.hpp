// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Texts for servers: JUnit XML, which those for continuous integration read, and families of samples as monitoring
/// systems read them, in Prometheus text 0.0.4 and OpenMetrics 1.0.
namespace steelyard::formats {

enum class CaseResult { passed, failed, skipped, error };

struct TestCase {
  std::string group, name;  // classname, name
  CaseResult result = CaseResult::passed;
  std::string type, message;  // verdict; the whole finding in one line
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> properties = {};
};

struct TestSuite {
  std::string name, timestamp;  // RFC 3339; empty: not told
  double seconds = 0;
  std::vector<TestCase> cases;
};

/// Adds a number to the properties, if there is one.
void add_property(TestCase& to, std::string_view name, const std::optional<double>& value);
/// Adds a text to the properties unless it is empty.
void add_property(TestCase& to, std::string_view name, std::string_view value);

/// Number of cases beyond which the passed ones of a group become one case that tells their number.
inline constexpr std::size_t most_cases = 5000;

/// Document in UTF-8; characters that XML 1.0 forbids become U+FFFD.
[[nodiscard]] std::string junit(std::span<const TestSuite> suites);

/// Text escaped for XML, also between double quotes: line ends and tabs as references.
[[nodiscard]] std::string xml_text(std::string_view text);

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
