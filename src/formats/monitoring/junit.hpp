// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// JUnit XML: what servers for continuous integration read.
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

/// Adds a number to the properties, where there is one.
void add_property(TestCase& to, std::string_view name, const std::optional<double>& value);
/// The same of a text; empty: none.
void add_property(TestCase& to, std::string_view name, std::string_view value);

/// Beyond so many cases those of a group that passed are one, which says how many it stands for.
inline constexpr std::size_t most_cases = 5000;

/// UTF-8; characters that XML 1.0 forbids become U+FFFD.
[[nodiscard]] std::string junit(std::span<const TestSuite> suites);

/// A text as XML's, also between double quotes: line ends and tabs as references.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace steelyard::formats
