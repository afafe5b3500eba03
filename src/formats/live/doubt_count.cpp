// SPDX-License-Identifier: Apache-2.0
#include "formats/live/doubt_count.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/doubts.hpp"
#include "formats/live/sentences.hpp"
#include "formats/live/verdict.hpp"

namespace steelyard::formats {

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
