// SPDX-License-Identifier: Apache-2.0
#include "formats/live/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "record/point_view.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

// Parameters that differ from row to row, or tell nothing that the reader of a table needs.
constexpr std::array<std::string_view, 4> of_rows{"count_byte", "group", "occurrence", "form"};
// Parameters whose values explain themselves; they stand first.
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

std::string quantity(std::string_view metric) {
  if (metric == "time_s") return "time per operation";
  const record::MetricName* known = record::metric_name(metric);
  const std::string name = record::metric_words(metric);
  const std::string unit{known == nullptr ? "" : known->unit};
  return unit.empty() || unit == "s" ? name : fmt::format("{} in {}", name, unit);
}

using prefix::mega;

struct Unit {
  std::string name;
  double size = 1;
};

/// Decimal prefix with which a number has at most three digits before the point.
Unit prefix(double value) {
  constexpr std::array<std::pair<const char*, double>, 5> prefixes{
      {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
  const auto fits = [&](const auto& p) { return std::abs(value) < 999.5 * p.second; };
  const auto found = std::ranges::find_if(prefixes, fits);
  const auto& chosen = found == prefixes.end() ? prefixes.back() : *found;
  return {chosen.first, chosen.second};
}

Unit unit_of(double value, bool time, bool utf8) {
  if (!time) return prefix(value);
  const units::TimeUnit unit = units::time_unit(Seconds{value});
  return {utf8 && unit.name == "us" ? "µs" : std::string(unit.name), unit.seconds};
}

/// Value with its unit. fmt counts columns, not bytes, so that µ takes one.
std::string with_unit(double value, const Unit& unit) {
  return fmt::format("{:<4} {:<2}", units::format_short(value / unit.size), unit.name);
}

std::string count(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string size_text(const record::PointRecord& point) {
  const auto size = record::whole_of(live_size(point));
  return size ? fmt::format("{}", *size) : "-";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> live_parameters(const record::PointRecord& point) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string_view name : nameless)
    if (const auto* value = record::find(point.params, name))
      words.emplace_back(name, std::visit(ValueText{}, *value));
  for (const auto& [name, value] : point.params) {
    const bool known = std::ranges::count(record::length_names, name) > 0 ||
                       std::ranges::count(of_rows, name) > 0 || std::ranges::count(nameless, name) > 0;
    if (!known) words.emplace_back(name, std::visit(ValueText{}, value));
  }
  return words;
}

std::string live_subject(const record::PointRecord& point) {
  std::string text = fmt::format("{}/{}   ", point.suite, point.benchmark);
  if (point.groups > 1) text += fmt::format("{} groups of ", point.groups);
  text += units::counted(point.processes, "process");
  if (point.threads > 1) text += fmt::format(" with {} threads", point.threads);
  const std::string words = parameters(point);
  return words.empty() ? text : text + "   " + words;
}

std::string live_quantity(const record::PointRecord& point) {
  const auto primary = live_primary(point);
  if (!primary) return "";
  const std::string timing = record::timing_words(point);
  const std::string how = timing.empty() ? record::words_over_ranks(primary->over_ranks) : timing;
  return quantity(point.primary) + (how.empty() ? "" : ", " + how);
}

const record::Value* live_size(const record::PointRecord& point) {
  for (const auto name : record::length_names)
    if (const auto* value = record::find(point.params, name)) return value;
  return nullptr;
}

std::optional<record::Statistics> live_primary(const record::PointRecord& point) {
  if (const auto* statistics = record::statistics(point, point.primary)) return *statistics;
  const auto number = record::figure(point, point.primary);
  if (!number) return std::nullopt;
  record::Statistics alone;
  alone.median = number;
  return alone;
}

std::string live_heading() {
  return fmt::format("{:>10}{:>12}{:>21}{:>12}{:>11}{:>11}{:>8}", "bytes", "median", "95 % interval", "p99",
                     "batches", "ops/batch", "MB/s");
}

std::string live_value(std::optional<double> value, bool time, bool utf8) {
  if (!value) return fmt::format("{:<7}", " -");
  return with_unit(*value, unit_of(*value, time, utf8));
}

std::string live_interval(const std::optional<std::pair<double, double>>& ends, bool time, bool utf8) {
  if (!ends) return fmt::format("{:<17}", "      -");
  const Unit unit = unit_of(ends->second, time, utf8);
  return fmt::format("{:<4} ..   {}", units::format_short(ends->first / unit.size),
                     with_unit(ends->second, unit));
}

std::string live_rate(std::optional<double> byte_s) {
  if (!byte_s) return "      -";
  std::string text = units::format_significant(*byte_s / mega, 4);
  if (text.find('.') != std::string::npos && text.size() > 5) text = units::format_fixed(*byte_s / mega, 3);
  const std::size_t whole = std::min(text.find('.'), text.size());
  return fmt::format("{:>6}{}", text.substr(0, whole), text.substr(whole));
}

std::optional<double> live_bandwidth(const record::PointRecord& point) {
  // Suites of threads tell whose bandwidth it is.
  constexpr std::array names{"bandwidth_byte_s", "bandwidth_process_byte_s", "bandwidth_total_byte_s"};
  const auto found = std::ranges::find_if(
      point.metrics, [&](const auto& m) { return std::ranges::find(names, m.first) != names.end(); });
  if (found == point.metrics.end()) return std::nullopt;
  return record::value_of(found->second);
}

bool live_is_time(std::string_view metric) {
  const record::MetricName* known = record::metric_name(metric);
  return known == nullptr ? metric.ends_with("time_s") : known->unit == "s";
}

std::string live_figure(const record::PointRecord& point) {
  std::vector<std::string> words;
  const auto tell = [&](const char* name, std::string_view before, int places, std::string_view behind) {
    const auto* metric = record::metric(point, name);
    if (metric == nullptr) return;
    if (const auto value = record::value_of(*metric))
      words.push_back(fmt::format("{}{}{}", before, units::format_fixed(*value, places), behind));
    else if (name == std::string_view("break_even"))
      words.emplace_back("never pays");
  };
  tell("overlap_percent", "overlap ", 0, " %");
  tell("saving_percent", "saves ", 0, " %");
  tell("break_even", "pays after ", 0, "");
  tell("early_percent", "early ", 0, " %");
  tell("availability", "availability ", 2, "");
  tell("ratio_to_p2p", "", 2, " of messages");
  tell("x_passive_progress", "passive ", 2, "");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string live_numbers(const record::PointRecord& point, bool utf8) {
  const record::Statistics primary = live_primary(point).value_or(record::Statistics{});
  const bool time = live_is_time(point.primary);
  return fmt::format(
      "{:>10}     {}     {}     {}{:>10}{:>11} {}", size_text(point), live_value(primary.median, time, utf8),
      live_interval(primary.ci, time, utf8), live_value(primary.p99, time, utf8), count(primary.n),
      count(point.schedule ? point.schedule->ops_per_batch : std::nullopt), live_rate(live_bandwidth(point)));
}

}  // namespace steelyard::formats
