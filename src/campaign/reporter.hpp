// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "campaign/course.hpp"
#include "campaign/estimator.hpp"
#include "campaign/progress.hpp"
#include "record/records.hpp"
#include "suites/stage.hpp"

namespace steelyard::campaign {

/// "np=4 64 KiB": what of a benchmark is measured.
[[nodiscard]] std::string describe_point(const suites::BlockPlan& block, const suites::PointPlan& point);
/// "   12.3 us +-0.4%" of a point that was measured, empty without a time.
[[nodiscard]] std::string describe_result(const record::PointRecord& record);

/// Keeps count of what is done and estimates what is left, suite by suite. Rank 0.
class Reporter {
 public:
  /// `progress` may be null.
  Reporter(Progress* progress, const Plan& plan, const Course& course);

  void block_starts(const suites::BlockPlan& block, double elapsed_s);
  /// A point that was measured in measured_s seconds; kept points are counted at the start.
  void point_ends(const suites::BlockPlan& block, const suites::PointPlan& point,
                  const record::PointRecord& record, double measured_s, double elapsed_s);
  /// Redraws with a new time. `stage`: of a block whose points end together.
  void tick(double elapsed_s, const std::optional<suites::Stage>& stage = std::nullopt);
  void clear();

  [[nodiscard]] const ProgressState& state() const { return state_; }

 private:
  void show(double elapsed_s);
  [[nodiscard]] double planned_left_s() const;
  /// How much of the block that runs is done, as it says itself or by its planned time: its points may be
  /// measured in rounds.
  [[nodiscard]] double block_share(double elapsed_s) const;
  /// Of the planned time, with a part of the running block.
  [[nodiscard]] double share(double of_block) const;
  [[nodiscard]] double left_s(double elapsed_s) const;
  [[nodiscard]] bool trustworthy() const;

  struct Suite {
    double planned_left_s = 0;
    Estimator estimator;
  };
  Progress* progress_;
  const Course& course_;
  std::map<std::string, Suite> suites_;
  /// The block that is measured.
  struct Running {
    std::string suite;
    double start_s = 0;
    double planned_s = 0, whole_s = 0;  // of what is left of it, and of all of it
    std::size_t first = 0, points = 0;  // points of the plan done when it began; its own
    std::optional<suites::Stage> stage = {};
  };
  Running running_;
  std::size_t done_ = 0;
  std::size_t finished_ = 0;
  double planned_s_ = 0;
  double longest_s_;
  ProgressState state_;
};

}  // namespace steelyard::campaign
