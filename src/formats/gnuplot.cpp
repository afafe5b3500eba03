// SPDX-License-Identifier: Apache-2.0
#include "formats/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace steelyard::formats {
namespace {

using record::PointRecord;

constexpr std::string_view length_name = "message_byte";

struct Dot {
  double x = 0, median = 0, low = 0, high = 0;
};
/// Curves by label; "" where all parameters but the length are equal.
using Curves = std::map<std::string, std::vector<Dot>>;

struct Chart {
  std::string benchmark, metric;
  Curves curves;
};

std::optional<double> length(const PointRecord& point) {
  const auto* value = record::find(point.params, length_name);
  const auto* whole = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return whole == nullptr ? std::nullopt : std::optional(static_cast<double>(*whole));
}

std::string word(const record::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return {};
}

std::string label(const PointRecord& point) {
  std::string text = fmt::format("{} processes", point.processes);
  for (const auto& [name, value] : point.params)
    if (name != length_name && name != "type" && !word(value).empty())
      text += fmt::format(" {}={}", name, word(value));
  return text;
}

std::optional<Dot> dot(const PointRecord& point) {
  const auto x = length(point);
  const auto found =
      std::ranges::find(point.metrics, point.primary, &std::pair<std::string, record::Metric>::first);
  if (!x || found == point.metrics.end()) return std::nullopt;
  if (const auto* plain = std::get_if<double>(&found->second)) return Dot{*x, *plain, *plain, *plain};
  const auto* held = std::get_if<record::Statistics>(&found->second);
  if (held == nullptr || !held->median) return std::nullopt;
  const auto ends = held->ci.value_or(std::pair(*held->median, *held->median));
  return Dot{*x, *held->median, ends.first, ends.second};
}

std::vector<Chart> charts(const record::Run& run) {
  std::vector<Chart> list;
  for (const PointRecord& point : run.points) {
    const auto one = dot(point);
    if (!one) continue;
    const std::string name = point.suite + '/' + point.benchmark;
    auto found = std::ranges::find(list, name, &Chart::benchmark);
    if (found == list.end()) found = list.insert(list.end(), Chart{name, point.primary, {}});
    found->curves[label(point)].push_back(*one);
  }
  return list;
}

std::string file_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return name;
}

/// In single quotes nothing but a quote means anything to gnuplot; control characters are left out.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) continue;
    out += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return out + '\'';
}

/// One block per curve, two empty lines between them.
std::string data(const Chart& chart) {
  std::string text =
      fmt::format("# {}, {}: bytes median low high\n", in_quotes(chart.benchmark), in_quotes(chart.metric));
  std::string separator;
  for (const auto& [name, dots] : chart.curves) {
    text += fmt::format("{}# {}\n", separator, in_quotes(name));
    auto ordered = dots;
    std::ranges::sort(ordered, {}, &Dot::x);
    for (const Dot& one : ordered) text += fmt::format("{} {} {} {}\n", one.x, one.median, one.low, one.high);
    separator = "\n\n";
  }
  return text;
}

std::string script(const Chart& chart, const std::string& file) {
  const std::string unit(record::unit_of(chart.metric));
  std::string text = fmt::format(
      "set terminal svg size 900,600 dynamic\nset output {}\nset title {} noenhanced\nset key outside "
      "noenhanced\n"
      "set logscale x 2\nset logscale y\nset xlabel 'message length, bytes'\nset ylabel {} noenhanced\nset "
      "grid\n"
      "# messages of no bytes stand at half a byte\nplot",
      in_quotes(file + ".svg"), in_quotes(chart.benchmark),
      in_quotes(chart.metric + (unit.empty() ? "" : ", " + unit)));
  std::size_t index = 0;
  for (const auto& [name, dots] : chart.curves) {
    text += fmt::format("{} {} index {} using ($1 > 0 ? $1 : 0.5):2:3:4 with yerrorlines title {}",
                        index == 0 ? "" : ", \\\n    ", in_quotes(file + ".dat"), index, in_quotes(name));
    ++index;
  }
  return text + '\n';
}

}  // namespace

std::vector<NamedText> gnuplot_files(const record::Run& run) {
  std::vector<NamedText> files;
  for (const Chart& chart : charts(run)) {
    const std::string name = file_name(chart.benchmark);
    files.push_back({name + ".dat", data(chart)});
    files.push_back({name + ".gp", script(chart, name)});
  }
  return files;
}

}  // namespace steelyard::formats
