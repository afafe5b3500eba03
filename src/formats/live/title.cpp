// SPDX-License-Identifier: Apache-2.0
#include "formats/live/title.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "units/text.hpp"

namespace steelyard::formats {
namespace {

constexpr std::array sizes{"message_byte", "chunk_byte"};
// Differ from row to row, or say nothing that the reader of a table needs.
constexpr std::array<std::string_view, 5> of_rows{"message_byte", "chunk_byte", "count_byte", "group",
                                                  "occurrence"};
// Values that explain themselves; they stand first.
constexpr std::array<std::string_view, 2> nameless{"type", "op"};

struct ValueText {
  std::string operator()(std::nullptr_t) const { return "none"; }
  std::string operator()(bool value) const { return value ? "on" : "off"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return units::format_significant(value, 4); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<double>& values) const {
    return fmt::format("{} values", values.size());
  }
};

std::string parameters(const record::PointRecord& point) {
  std::vector<std::string> words;
  for (const auto& [name, text] : live_parameters(point))
    words.push_back(std::ranges::count(nameless, name) > 0 ? text : name + " " + text);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string counted(int n, std::string_view word, std::string_view plural) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : plural);
}

std::string over(std::string_view ranks) {
  if (ranks.empty()) return "";
  if (ranks == "one") return ", on one rank";
  if (ranks == "global") return ", first start to last end";
  return fmt::format(", {} over ranks", ranks);
}

std::string quantity(std::string_view metric) {
  if (metric == "time_s") return "time per operation";
  const record::MetricName* known = record::metric_name(metric);
  std::string name{metric};
  std::string unit{known == nullptr ? "" : known->unit};
  std::string suffix = unit.empty() ? "" : "_" + unit;
  std::ranges::replace(suffix, '/', '_');
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::ranges::replace(name, '_', ' ');
  return unit.empty() || unit == "s" ? name : fmt::format("{} in {}", name, unit);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> live_parameters(const record::PointRecord& point) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string_view name : nameless)
    if (const auto* value = record::find(point.params, name))
      words.emplace_back(name, std::visit(ValueText{}, *value));
  for (const auto& [name, value] : point.params) {
    const bool known = std::ranges::count(of_rows, name) > 0 || std::ranges::count(nameless, name) > 0;
    if (!known) words.emplace_back(name, std::visit(ValueText{}, value));
  }
  return words;
}

std::string live_subject(const record::PointRecord& point) {
  std::string text = fmt::format("{}/{}   ", point.suite, point.benchmark);
  if (point.groups > 1) text += fmt::format("{} groups of ", point.groups);
  text += counted(point.processes, "process", "es");
  if (point.threads > 1) text += fmt::format(" with {} threads", point.threads);
  const std::string words = parameters(point);
  return words.empty() ? text : text + "   " + words;
}

std::string live_quantity(const record::PointRecord& point) {
  const auto primary = live_primary(point);
  return primary ? quantity(point.primary) + over(primary->over_ranks) : "";
}

const record::Value* live_size(const record::PointRecord& point) {
  for (const char* name : sizes) {
    if (const auto* value = record::find(point.params, name)) return value;
  }
  return nullptr;
}

std::optional<record::Statistics> live_primary(const record::PointRecord& point) {
  const auto found =
      std::ranges::find(point.metrics, point.primary, &decltype(point.metrics)::value_type::first);
  if (found == point.metrics.end()) return std::nullopt;
  if (const auto* statistics = std::get_if<record::Statistics>(&found->second)) return *statistics;
  if (const auto* number = std::get_if<double>(&found->second)) {
    record::Statistics alone;
    alone.median = *number;
    return alone;
  }
  return std::nullopt;
}

}  // namespace steelyard::formats
