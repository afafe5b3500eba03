// SPDX-License-Identifier: Apache-2.0
#include "campaign/course.hpp"

#include <map>
#include <string_view>

namespace steelyard::campaign {
namespace {

std::optional<double> seconds(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value()) : std::nullopt;
}

/// How many records of single groups there are for the key without its group.
std::map<std::string, int> records_of_groups(const std::set<std::string>& keys) {
  constexpr std::string_view member = ";group=";
  std::map<std::string, int> groups;
  for (const std::string& key : keys) {
    const std::size_t at = key.find(member);
    if (at == std::string::npos) continue;
    const std::size_t after = key.find(';', at + 1);
    ++groups[key.substr(0, at) + (after == std::string::npos ? "" : key.substr(after))];
  }
  return groups;
}

}  // namespace

Course::Course(const Plan& plan, MeasuringRule rule, const std::set<std::string>& kept)
    : plan_(plan),
      rule_(rule),
      from_(plan.blocks.size() + 1),
      planned_(std::nullopt, {}, rule.point_limit_s) {
  keep(kept);
  for (std::size_t b = plan.blocks.size(); b-- > 0;) {
    from_[b] = from_[b + 1];
    for (const suites::PointPlan& point : plan.blocks[b].points) {
      if (this->kept(point)) ++points_kept_;
      if (!wanted(point)) continue;
      from_[b].add(point);
    }
  }
  planned_ = allowance(0, seconds(plan.budget));
}

void Course::keep(const std::set<std::string>& keys) {
  const auto groups = records_of_groups(keys);
  for (const suites::BlockPlan& block : plan_.blocks)
    for (const suites::PointPlan& point : block.points) {
      const auto found = groups.find(point.key);
      const bool all_groups = found != groups.end() && found->second >= block.groups;
      if (keys.contains(point.key) || all_groups) kept_.insert(point.key);
    }
}

bool Course::wanted(const suites::PointPlan& point) const {
  return point.measurable() && !kept(point);
}

std::vector<std::size_t> Course::to_measure(std::size_t block) const {
  std::vector<std::size_t> indices;
  const auto& points = plan_.blocks[block].points;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (wanted(points[i])) indices.push_back(i);
  return indices;
}

double Course::minimum_s(std::size_t block) const {
  return from_[block].sum_s() - from_[block + 1].sum_s();
}

double Course::expected_s(const suites::PointPlan& point) const {
  if (!wanted(point)) return 0;
  return campaign::expected_s(point, planned_, rule_);
}

Allowance Course::allowance(std::size_t block, std::optional<double> left_s) const {
  return {left_s, from_[block], rule_.point_limit_s};
}

}  // namespace steelyard::campaign
