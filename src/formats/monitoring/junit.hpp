// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// JUnit XML, which servers for continuous integration read.
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

}  // namespace steelyard::formats
