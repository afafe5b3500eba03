// SPDX-License-Identifier: Apache-2.0
#include "formats/live/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/warnings.hpp"
#include "formats/live/sentences.hpp"

namespace steelyard::formats {
namespace {

std::string reason(const record::PointRecord& point) {
  if (!point.reason || point.reason->text.empty()) return "";
  std::string text = point.reason->text;
  std::ranges::replace(text, '\n', ' ');
  return " (" + text + ")";
}

}  // namespace

bool has_values(const record::PointRecord& point) {
  return point.status == record::Status::ok || point.status == record::Status::partial;
}

Verdict live_verdict(const record::PointRecord& point) {
  Verdict verdict;
  const auto add = [&](const std::string& words, Colour colour) {
    if (words.empty()) return;
    verdict.text += (verdict.text.empty() ? "" : ", ") + words;
    verdict.colour = std::max(verdict.colour, colour);
  };
  if (point.verified == false) add("UNVERIFIED", Colour::bold_red);
  if (point.status != record::Status::ok)
    add(std::string(record::text(point.status)) + reason(point),
        point.status == record::Status::failed ? Colour::bold_red : Colour::yellow);
  add(analysis::doubts_in_words(point), Colour::yellow);
  return verdict;
}

std::string painted(const Verdict& verdict, bool colours) {
  if (!colours || verdict.colour == Colour::none || verdict.text.empty()) return verdict.text;
  return (verdict.colour == Colour::yellow ? "\033[33m" : "\033[1;31m") + verdict.text + "\033[0m";
}

void DoubtCount::add(const record::PointRecord& point) {
  if (!has_values(point)) return;
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

}  // namespace steelyard::formats
