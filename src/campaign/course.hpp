// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/plan.hpp"

namespace steelyard::campaign {

/// What of a plan is still to be done, block by block. Pure, the same on all ranks.
class Course {
 public:
  /// `kept`: keys that an earlier session measured. A point with one record per group (member group in their
  /// keys) is kept when all groups are.
  Course(const Plan& plan, MeasuringRule rule, const std::set<std::string>& kept);

  [[nodiscard]] bool kept(const suites::PointPlan& point) const { return kept_.contains(point.key); }
  /// Indices of the points of a block that are measured now.
  [[nodiscard]] std::vector<std::size_t> to_measure(std::size_t block) const;
  /// Least time of one block.
  [[nodiscard]] double minimum_s(std::size_t block) const;
  /// Planned time of a point under the budget of the plan; 0 if it is not measured now.
  [[nodiscard]] double expected_s(const suites::PointPlan& point) const;
  /// Time for each point when left_s remain for this block and all later ones.
  [[nodiscard]] Allowance allowance(std::size_t block, std::optional<double> left_s) const;
  [[nodiscard]] std::size_t points_kept() const { return points_kept_; }

 private:
  [[nodiscard]] bool wanted(const suites::PointPlan& point) const;
  void keep(const std::set<std::string>& keys);

  const Plan& plan_;
  MeasuringRule rule_;
  std::set<std::string> kept_;
  std::vector<Allowance::Remaining> from_;  // this block and all later ones
  Allowance planned_;
  std::size_t points_kept_ = 0;
};

}  // namespace steelyard::campaign
