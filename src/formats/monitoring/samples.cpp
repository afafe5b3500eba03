// SPDX-License-Identifier: Apache-2.0
#include "formats/monitoring/samples.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

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
  for (const char c : text) {
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

std::string label_text(std::string_view text) {
  std::string out;
  for (const char c : record::valid_utf8(text)) {
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
