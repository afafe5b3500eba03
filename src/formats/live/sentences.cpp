// SPDX-License-Identifier: Apache-2.0
#include "formats/live/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "record/json.hpp"

namespace steelyard::formats {
namespace {

std::string first_error(const record::PointRecord& point) {
  if (!point.check || point.check->first.empty()) return "";
  const record::Json& first = point.check->first.json();
  const auto text = first.is_object() ? first.find("text") : first.end();
  return ": " + (text == first.end() || !text->is_string() ? first.dump() : text->get<std::string>());
}

}  // namespace

std::string summary_line(std::string_view what, std::string_view text) {
  return fmt::format("  {:<36}{}\n", what, text);
}

std::optional<double> summary_value(const record::SummaryRecord& summary, std::string_view name) {
  for (const auto& [key, metric] : summary.values)
    if (const auto* number = std::get_if<double>(&metric); key == name && number != nullptr) return *number;
  return std::nullopt;
}

std::string official_lines(const record::SummaryRecord& summary, bool brief) {
  std::string text;
  if (summary.official == true) text = summary_line("official", "yes");
  const auto& reasons = summary.not_official_because;
  if (brief && reasons.size() > 1)
    return summary_line("official", fmt::format("no: {} (and {} more)", reasons.front(), reasons.size() - 1));
  bool first = true;
  for (const std::string& reason : reasons) {
    text += summary_line(first ? "official" : "", (first ? "no: " : "    ") + reason);
    first = false;
  }
  return text;
}

std::string page_cache_line(const record::SummaryRecord& summary) {
  const auto* value = record::find(summary.classic, "files_in_memory");
  const auto* why = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return why == nullptr ? std::string() : summary_line("page cache", *why);
}

std::string what_is_wrong(const record::PointRecord& point) {
  if (point.verified == false) return "UNVERIFIED" + first_error(point);
  std::string text = point.reason ? point.reason->text : "";
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "failed" : "failed (" + text + ")";
}

}  // namespace steelyard::formats
