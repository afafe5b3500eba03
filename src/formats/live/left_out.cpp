// SPDX-License-Identifier: Apache-2.0
#include "formats/live/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "suites/suite_list.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t most_reasons = 2;  // others are in the records

std::string reason_of(const record::PointRecord& point) {
  std::string text = point.reason ? point.reason->text : "";
  if (text.empty() && point.reason) text = record::text(point.reason->code);
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "no reason is known" : text;
}

}  // namespace

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
  const auto info = suites::suite_info(suite);
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

}  // namespace steelyard::formats
