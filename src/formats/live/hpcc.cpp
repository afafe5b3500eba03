// SPDX-License-Identifier: Apache-2.0
#include "formats/live/hpcc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "formats/live/cells.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

struct Prefix {
  double size;
  const char* name;
};

std::string number(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.params, name);
  const auto* whole = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return whole == nullptr ? "" : std::to_string(*whole);
}

std::string word(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.params, name);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? "" : *text;
}

/// "N 3584, NB 192, 1 x 2", "16777216 elements", "8 byte": whatever of it the point has.
std::string size(const record::PointRecord& point) {
  std::string text;
  const auto add = [&](const std::string& value, const char* before, const char* after) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + std::string(before) + value + after;
  };
  add(number(point, "order"), "N ", "");
  add(number(point, "block"), "NB ", "");
  if (const auto rows = number(point, "grid_rows"); !rows.empty())
    add(rows + " x " + number(point, "grid_columns"), "", "");
  add(number(point, "elements"), "", " elements");
  add(number(point, "table_words"), "", " words");
  add(number(point, "message_byte"), "", " byte");
  return text;
}

std::string rate(double value, std::string_view unit) {
  static constexpr std::array<Prefix, 5> prefixes = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  const auto fits = [&](const Prefix& prefix) { return value >= prefix.size; };
  const auto found = std::ranges::find_if(prefixes, fits);
  const auto& prefix = found == prefixes.end() ? prefixes.back() : *found;
  return fmt::format("{:>9} {}{}", units::format_significant(value / prefix.size, 4), prefix.name,
                     unit == "byte/s" ? "B/s" : unit);
}

std::string quantity(std::string_view metric, double value) {
  const auto* known = record::metric_name(metric);
  const std::string_view unit = known == nullptr ? "" : known->unit;
  if (unit != "s") return rate(value, unit);
  const auto scale = units::time_unit(Seconds{value});
  return fmt::format("{:>9} {}", units::format_significant(value / scale.seconds, 4), scale.name);
}

std::optional<double> time_s(const record::PointRecord& point) {
  for (const auto& [name, metric] : point.metrics)
    if (const auto* time = std::get_if<record::Statistics>(&metric); name == "time_s" && time != nullptr)
      return time->median;
  return std::nullopt;
}

/// What a point of messages has beside its primary metric: "natural ring 1.02 us".
std::string beside(const record::PointRecord& point) {
  std::string text;
  for (const auto& [name, metric] : point.metrics) {
    const auto* value = std::get_if<double>(&metric);
    if (value == nullptr || name == point.primary || point.benchmark != "LatencyBandwidth") continue;
    std::string told = quantity(name, *value);
    told.erase(0, told.find_first_not_of(' '));
    text += (text.empty() ? "" : ", ") +
            std::string(name.starts_with("pingpong") ? "ping-pong " : "natural ring ") + told;
  }
  return text;
}

}  // namespace

std::string LiveHpcc::subject(const record::PointRecord& point) {
  const auto threads = point.threads > 1 ? fmt::format(" with {} threads", point.threads) : "";
  return fmt::format("hpcc   {} process{}{}", point.processes, point.processes == 1 ? "" : "es", threads);
}

std::string LiveHpcc::heading() {
  return fmt::format("{:<24}{:<34}{:>9}{:>19}", "test", "size", "result", "time");
}

std::string LiveHpcc::name(const record::PointRecord& point) {
  const auto kernel = word(point, "kernel");
  return point.benchmark + (kernel.empty() ? "" : " ") + kernel;
}

bool LiveHpcc::stands_for_its_test(const record::PointRecord& point) {
  const auto kernel = word(point, "kernel");
  return kernel.empty() || kernel == "Triad" || point.verified == false ||
         point.status == record::Status::failed;
}

std::string LiveHpcc::row(const record::PointRecord& point) {
  std::string line = fmt::format("{:<24}{:<34}", name(point), size(point));
  const auto primary = live_primary(point);
  if (!primary || !primary->median) return line;
  line += fmt::format("{:<21}", quantity(point.primary, *primary->median));
  if (const auto seconds = time_s(point)) line += fmt::format("{:>7}", units::format_time(Seconds{*seconds}));
  line += beside(point);
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace steelyard::formats
