// SPDX-License-Identifier: Apache-2.0
#include "formats/monitoring.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "record/json.hpp"
#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

/// True for code points U+FFFE and U+FFFF, which UTF-8 can spell and XML cannot hold.
bool is_non_character(std::string_view text, std::size_t at) {
  return text.substr(at, 3) == "\xef\xbf\xbe" || text.substr(at, 3) == "\xef\xbf\xbf";
}

std::string_view escape_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    case '\t': return "&#9;";
    default: return {};
  }
}

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + xml_text(value) + '"';
}

std::string seconds_text(double seconds) {
  return units::format_fixed(seconds, 3);
}

std::string_view element_of(CaseResult result) {
  return result == CaseResult::failed ? "failure" : result == CaseResult::skipped ? "skipped" : "error";
}

std::string case_text(const TestCase& one) {
  std::string out = "    <testcase" + attribute("classname", one.group) + attribute("name", one.name) +
                    attribute("time", seconds_text(one.seconds));
  if (one.result == CaseResult::passed && one.properties.empty()) return out + "/>\n";
  out += ">\n";
  if (!one.properties.empty()) {
    out += "      <properties>\n";
    for (const auto& [name, value] : one.properties)
      out += "        <property" + attribute("name", name) + attribute("value", value) + "/>\n";
    out += "      </properties>\n";
  }
  if (one.result != CaseResult::passed) {
    out += "      <" + std::string(element_of(one.result)) + attribute("message", one.message);
    if (one.result != CaseResult::skipped) out += attribute("type", one.type);
    out += "/>\n";
  }
  return out + "    </testcase>\n";
}

/// Cases with the passed ones folded by group; all others stand as they are.
std::vector<TestCase> folded(const std::vector<TestCase>& cases) {
  std::vector<TestCase> kept;
  std::map<std::string, std::pair<std::size_t, std::size_t>> places;  // place in kept, number
  for (const TestCase& one : cases) {
    if (one.result != CaseResult::passed) {
      kept.push_back(one);
      continue;
    }
    const auto [found, is_new] = places.try_emplace(one.group, kept.size(), 0);
    if (is_new) kept.push_back({one.group, {}, CaseResult::passed, {}, {}, 0, {}});
    ++found->second.second;
  }
  for (const auto& [group, place] : places) {
    TestCase& one = kept[place.first];
    one.name = std::to_string(place.second) + " that passed";
    one.properties = {{"note", "more than " + std::to_string(most_cases) +
                                   " cases: one stands for those of its group that passed"}};
  }
  return kept;
}

std::size_t count(const std::vector<TestCase>& cases, CaseResult result) {
  return static_cast<std::size_t>(std::ranges::count(cases, result, &TestCase::result));
}

std::string counts(const std::vector<TestCase>& cases) {
  return attribute("tests", std::to_string(cases.size())) +
         attribute("failures", std::to_string(count(cases, CaseResult::failed))) +
         attribute("errors", std::to_string(count(cases, CaseResult::error))) +
         attribute("skipped", std::to_string(count(cases, CaseResult::skipped)));
}

/// Shortest decimal that restores the number.
std::string sample_number(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

/// Time as it stands behind a value; empty without one.
std::string sample_time(const Sample& sample) {
  return sample.at_s ? ' ' + units::format_fixed(*sample.at_s, 3) : std::string();
}

std::string sample_line(const std::string& name, const Sample& sample, bool with_time) {
  std::string labels;
  for (const auto& [key, value] : sample.labels)
    labels += (labels.empty() ? "" : ",") + key + "=\"" + label_text(value) + '"';
  std::string line = name + (labels.empty() ? "" : '{' + labels + '}') + ' ' + sample_number(sample.value);
  if (with_time) line += sample_time(sample);
  return line + '\n';
}

/// Help text; `quotes`: a quote is escaped, as OpenMetrics requires and Prometheus does not.
std::string help_text(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : units::controls_escaped(text, "\n")) {
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

/// Samples sorted so that those of one series follow each other by time. Of several at one time as it is printed the
/// last one stays: a series has one value at a time.
std::vector<Sample> by_series(std::vector<Sample> samples) {
  std::ranges::stable_sort(samples, [](const Sample& a, const Sample& b) {
    if (a.labels != b.labels) return a.labels < b.labels;
    return a.at_s.value_or(0) < b.at_s.value_or(0);
  });
  std::vector<Sample> kept;
  for (Sample& sample : samples) {
    const bool replaces = !kept.empty() && kept.back().labels == sample.labels &&
                          sample_time(kept.back()) == sample_time(sample);
    if (replaces) kept.pop_back();
    kept.push_back(std::move(sample));
  }
  return kept;
}

}  // namespace

void add_property(TestCase& to, std::string_view name, const std::optional<double>& value) {
  if (value) to.properties.emplace_back(name, record::Json(*value).dump());
}

void add_property(TestCase& to, std::string_view name, std::string_view value) {
  if (!value.empty()) to.properties.emplace_back(name, value);
}

std::string xml_text(std::string_view text) {
  const std::string clean = units::controls_escaped(record::valid_utf8(text), "\n\r\t");
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (const auto escape = escape_of(c); !escape.empty()) {
      out += escape;
    } else if (is_non_character(clean, i)) {
      out += replacement;
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string junit(std::span<const TestSuite> suites) {
  std::string body;
  std::vector<TestCase> all;
  double seconds = 0;
  for (const TestSuite& suite : suites) {
    const auto cases = suite.cases.size() > most_cases ? folded(suite.cases) : suite.cases;
    body += "  <testsuite" + attribute("name", suite.name) + counts(cases) +
            attribute("time", seconds_text(suite.seconds)) +
            (suite.timestamp.empty() ? "" : attribute("timestamp", suite.timestamp)) + ">\n";
    for (const TestCase& one : cases) body += case_text(one);
    body += "  </testsuite>\n";
    all.insert(all.end(), cases.begin(), cases.end());
    seconds += suite.seconds;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "steelyard") +
         counts(all) + attribute("time", seconds_text(seconds)) + ">\n" + body + "</testsuites>\n";
}

std::string label_text(std::string_view text) {
  std::string out;
  for (const char c : units::controls_escaped(record::valid_utf8(text), "\n")) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

std::string prometheus_text(std::span<const SampleFamily> families) {
  std::string out;
  for (const SampleFamily& family : families) {
    if (family.samples.empty()) continue;
    out += "# HELP " + family.name + ' ' + help_text(family.help, false) + "\n# TYPE " + family.name +
           " gauge\n";
    for (const Sample& sample : family.samples) out += sample_line(family.name, sample, false);
  }
  return out;
}

std::string open_metrics_text(std::span<const SampleFamily> families) {
  std::string out;
  for (const SampleFamily& family : families) {
    if (family.samples.empty()) continue;
    out += "# TYPE " + family.name + " gauge\n";
    if (!family.unit.empty()) out += "# UNIT " + family.name + ' ' + family.unit + '\n';
    out += "# HELP " + family.name + ' ' + help_text(family.help, true) + '\n';
    for (const Sample& sample : by_series(family.samples)) out += sample_line(family.name, sample, true);
  }
  return out + "# EOF\n";
}

}  // namespace steelyard::formats
