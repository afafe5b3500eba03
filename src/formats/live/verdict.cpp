// SPDX-License-Identifier: Apache-2.0
#include "formats/live/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "analysis/warnings.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::formats {
namespace {

std::string reason(const record::PointRecord& point) {
  if (!point.reason || point.reason->text.empty()) return "";
  std::string text = point.reason->text;
  std::ranges::replace(text, '\n', ' ');
  return " (" + text + ")";
}

constexpr std::size_t most_reasons = 2;  // others are in the records

std::string reason_of(const record::PointRecord& point) {
  std::string text = point.reason ? point.reason->text : "";
  if (text.empty() && point.reason) text = record::text(point.reason->code);
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "no reason is known" : text;
}

std::string first_error(const record::PointRecord& point) {
  if (!point.check || point.check->first.empty()) return "";
  const record::Json& first = point.check->first.json();
  const auto text = first.is_object() ? first.find("text") : first.end();
  return ": " + (text == first.end() || !text->is_string() ? first.dump() : text->get<std::string>());
}

std::string clipped_line(const std::string& line, std::size_t columns) {
  constexpr std::string_view dots = " ...";
  if (shown_columns(line) <= columns || columns < dots.size()) return line;
  std::size_t end = 0;
  for (std::size_t left = columns - dots.size(); end < line.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(line[end]) & 0xC0u) != 0x80u;
    if (begins && left-- == 0) break;
  }
  return line.substr(0, end) + std::string(dots);
}

}  // namespace

std::size_t shown_columns(const std::string& text) {
  std::size_t count = 0;
  bool code = false;  // of a colour: "ESC [ 33 m"
  for (const char c : text) {
    code = code || c == '\033';
    if (!code && (static_cast<unsigned char>(c) & 0xC0u) != 0x80u) ++count;
    code = code && c != 'm';
  }
  return count;
}

std::string clipped(const std::string& text, std::size_t columns) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    out += clipped_line(text.substr(from, end - from), columns);
    if (end < text.size()) out += '\n';
    from = end + 1;
  }
  return out;
}

namespace {

/// Where a line that is too long is broken: before the last remark behind a gap, or else before the last word that has
/// no room.
std::size_t break_of(const std::string& line, std::size_t columns) {
  std::size_t word = std::string::npos, remark = std::string::npos;
  for (std::size_t at = line.find_first_not_of(' '); (at = line.find(' ', at)) != std::string::npos;) {
    if (shown_columns(line.substr(0, at)) > columns) break;
    const std::size_t next = line.find_first_not_of(' ', at);
    if (next == std::string::npos) break;
    (next > at + 1 ? remark : word) = at;
    at = next;
  }
  constexpr std::size_t least =
      2;  // of the columns, as a part: a row is not broken between its first numbers
  const bool behind_row =
      remark != std::string::npos && shown_columns(line.substr(0, remark)) > columns / least;
  return behind_row ? remark : word;
}

}  // namespace

std::string narrowed(const std::string& text, std::size_t columns) {
  constexpr std::string_view indent = "    ";
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    while (shown_columns(line) > columns) {
      const std::size_t at = break_of(line, columns);
      if (at == std::string::npos) break;
      out += line.substr(0, at) + '\n';
      line = std::string(indent) + line.substr(line.find_first_not_of(' ', at));
    }
    out += line;
    if (end < text.size()) out += '\n';
    from = end + 1;
  }
  return out;
}

std::string fitted(const std::vector<std::string>& words, std::size_t columns) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string more = text + (i == 0 ? "" : ", ") + words[i];
    const bool last = i + 1 == words.size();
    const std::size_t mark = last ? 0 : std::to_string(words.size() - i - 1).size() + 2;
    if (i > 0 && shown_columns(more) + mark > columns) return text + " +" + std::to_string(words.size() - i);
    text = i == 0 ? clipped_line(more, columns - mark) : more;
  }
  return text;
}

Verdict live_verdict(const record::PointRecord& point, std::optional<std::size_t> columns) {
  Verdict verdict;
  std::vector<std::string> words;
  const auto add = [&](std::string word, Colour colour) {
    words.push_back(std::move(word));
    verdict.colour = std::max(verdict.colour, colour);
  };
  if (point.verified == false) add("UNVERIFIED", Colour::bold_red);
  if (point.status != record::Status::ok)
    add(std::string(record::text(point.status)) + reason(point),
        point.status == record::Status::failed ? Colour::bold_red : Colour::magenta);
  for (const analysis::Doubt& doubt : analysis::doubts(point)) add(doubt.words, Colour::magenta);
  verdict.text = columns ? fitted(words, *columns) : fmt::format("{}", fmt::join(words, ", "));
  return verdict;
}

std::string painted(const Verdict& verdict, bool colours) {
  if (!colours || verdict.colour == Colour::none || verdict.text.empty()) return verdict.text;
  return (verdict.colour == Colour::magenta ? "\033[35m" : "\033[1;31m") + verdict.text + "\033[0m";
}

void DoubtCount::add(const record::PointRecord& point) {
  if (!measured(point)) return;
  ++points_;
  for (const analysis::Doubt& doubt : analysis::doubts(point)) {
    const std::string words = doubt.code == "wide_interval" ? "interval wider than +-20 %" : doubt.words;
    auto found = std::ranges::find(found_, words, &std::pair<std::string, std::size_t>::first);
    if (found == found_.end()) found = found_.insert(found_.end(), {words, 0});
    ++found->second;
  }
}

std::string DoubtCount::line(std::string_view many) const {
  if (found_.empty()) return "";
  std::vector<std::string> told;
  for (const auto& [words, points] : found_) told.push_back(fmt::format("{} {}", points, words));
  return summary_line("doubts", fmt::format("of {} {}: {}", points_, many, fmt::join(told, ", ")));
}

void LeftOut::add(const record::PointRecord& point, const std::string& name) {
  const std::string text = reason_of(point);
  auto found = std::ranges::find(reasons_, text, &Reason::text);
  if (found == reasons_.end()) found = reasons_.insert(reasons_.end(), Reason{text});
  ++found->points;
  if (!name.empty() && std::ranges::find(found->names, name) == found->names.end())
    found->names.push_back(name);
}

std::string LeftOut::take(std::string_view suite) {
  if (reasons_.empty()) return "";
  const auto info = suites::suite_entry(suite);
  std::ranges::stable_sort(reasons_, std::ranges::greater{}, &Reason::points);
  std::size_t sum = 0, untold = 0;
  std::vector<std::string> told;
  for (const auto& [text, points, names] : reasons_) {
    sum += points;
    if (names.empty() && told.size() >= most_reasons) {
      untold += points;
      continue;
    }
    const std::string who = names.empty() ? "" : fmt::format("{}: ", fmt::join(names, ", "));
    const std::string count = reasons_.size() > 1 && names.empty() ? fmt::format(" ({})", points) : "";
    told.push_back(who + text + count);
  }
  if (untold > 0) told.push_back(fmt::format("other reasons ({})", untold));
  reasons_.clear();
  return fmt::format("  {} {} not measured: {}\n", sum, sum == 1 ? info.point : info.points,
                     fmt::join(told, "; "));
}

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
  const auto why = record::word_of(record::find(summary.classic, "files_in_memory"));
  return why.empty() ? std::string() : summary_line("page cache", why);
}

std::string what_is_wrong(const record::PointRecord& point) {
  if (point.verified == false) return "UNVERIFIED" + first_error(point);
  std::string text = point.reason ? point.reason->text : "";
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "failed" : "failed (" + text + ")";
}

}  // namespace steelyard::formats
