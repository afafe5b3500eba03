// SPDX-License-Identifier: Apache-2.0
#include "campaign/course.hpp"

#include <utility>

#include "campaign/shrink.hpp"

namespace steelyard::campaign {
namespace {

std::optional<double> seconds(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value()) : std::nullopt;
}

}  // namespace

Course::Course(const Plan& plan, MeasuringRule rule, std::set<std::string> kept)
    : plan_(plan),
      rule_(rule),
      kept_(std::move(kept)),
      from_(plan.blocks.size() + 1),
      planned_(std::nullopt, {}, rule.point_limit_s) {
  for (std::size_t b = plan.blocks.size(); b-- > 0;) {
    from_[b] = from_[b + 1];
    for (const suites::PointPlan& point : plan.blocks[b].points) {
      if (this->kept(point)) ++points_kept_;
      if (!wanted(point)) continue;
      from_[b].minimum_s += point.minimum_s;
      ++from_[b].points;
    }
  }
  planned_ = allowance(0, seconds(plan.budget));
}

bool Course::wanted(const suites::PointPlan& point) const {
  return measurable(point) && !kept(point);
}

std::vector<std::size_t> Course::to_measure(std::size_t block) const {
  std::vector<std::size_t> indices;
  const auto& points = plan_.blocks[block].points;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (wanted(points[i])) indices.push_back(i);
  return indices;
}

double Course::minimum_s(std::size_t block) const {
  return from_[block].minimum_s - from_[block + 1].minimum_s;
}

double Course::expected_s(const suites::PointPlan& point) const {
  if (!wanted(point)) return 0;
  return campaign::expected_s(point.minimum_s, planned_.point_s(point.minimum_s), rule_);
}

Allowance Course::allowance(std::size_t block, std::optional<double> left_s) const {
  return {left_s, from_[block], rule_.point_limit_s};
}

}  // namespace steelyard::campaign
