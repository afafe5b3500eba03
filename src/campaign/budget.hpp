// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "suites/suite.hpp"

/// Time that points take and may take. Pure. Source: methodology, "Campaign budget".
namespace steelyard::campaign {

/// Rule by which points will be measured, as far as the planner knows it.
struct MeasuringRule {
  std::optional<double> half_width;  // adaptive target; nullopt = classic schedule
  int min_visits = 6;
  double point_limit_s = 2;  // --point-budget, adaptive only
  bool timed = false;        // every point takes point_limit_s, however early its interval is reached
  [[nodiscard]] bool adaptive() const { return half_width.has_value(); }
};

/// Least work that gives a value: pilot and min_visits visits, or the suite's own number of operations. For a
/// point with a prescribed schedule, that schedule.
struct Demand {
  double operations = 0;
  double seconds = 0;
  double beside_s =
      0;  // of the seconds, those in which no schedule measures: openings for visits, and the check
};
[[nodiscard]] Demand least_demand(const suites::PointPlan& point, const MeasuringRule& rule);

/// Part of a campaign that goes into set-up between the points.
inline constexpr double setup_share = 0.03;

/// Division of the remaining time among the remaining points: each gets its minimum and a share of the
/// surplus by its weight; when there is less than all minima together, each gets the same fraction of its
/// minimum. The sum over the points never exceeds the time left, unless prescribed schedules do: they get
/// their time first.
class Allowance {
 public:
  struct Remaining {
    double minimum_s = 0;
    double weight = 0;
    double prescribed_s = 0;  // of points with a prescribed schedule, which have no weight
    void add(const suites::PointPlan& point);
    [[nodiscard]] double sum_s() const { return minimum_s + prescribed_s; }
  };
  /// left_s: nullopt = no limit but that of a point.
  Allowance(std::optional<double> left_s, Remaining remaining, double point_limit_s);
  /// Largest time that a point with this minimum and weight may take.
  [[nodiscard]] double point_s(double minimum_s, double weight = 1) const;
  /// The same for a point of a plan: its prescribed time if there is one.
  [[nodiscard]] double point_s(const suites::PointPlan& point) const;
  /// Part of it that the schedule of the point may spend, which knows of no check: never more than the limit of a
  /// point, and at least about a visit where the check leaves less.
  [[nodiscard]] double measuring_s(const suites::PointPlan& point, const MeasuringRule& rule) const;

 private:
  [[nodiscard]] double wanted_s(double minimum_s, double weight) const {
    return fraction_ * minimum_s + weight * share_s_;
  }

  double share_s_ = 0;   // of the surplus, of a point of weight 1
  double fraction_ = 1;  // of the minimum
  double limit_s_ = 2;
};

/// Expected time of a point of the adaptive rule. Time that one point does not need goes to the later ones,
/// so that nearly all of the allowed time is taken, never less than the minimum.
[[nodiscard]] double expected_s(double minimum_s, double allowed_s, const MeasuringRule& rule);
/// The same for a point of a plan: its prescribed time if there is one. If the point may not take its
/// minimum: the time of pilot, check and the visits that fit, at least one.
[[nodiscard]] double expected_s(const suites::PointPlan& point, const Allowance& allowance,
                                const MeasuringRule& rule);
/// Time of a point of a plan that reaches its interval with the least number of visits: visits are longer the
/// more time there is.
[[nodiscard]] double easy_s(const suites::PointPlan& point, const Allowance& allowance,
                            const MeasuringRule& rule);

/// Times of a suite with a share of a budget, before a block that may give way. Seconds as planned, but for taken_s.
struct SuiteSoFar {
  double planned_s = 0;  // of all of it
  double taken_s = 0;    // by the finished blocks
  double planned_of_done_s = 0;
  double needed_s = 0;  // by later blocks that do not give way
  double next_s = 0;    // by the block
};
/// True if the suite would take more than 15 % longer than planned with that block, slower than planned by as
/// much as the finished blocks were.
[[nodiscard]] bool is_late(const SuiteSoFar& suite);

// Division of a campaign's budget among its suites before their sizes are chosen. Pure.

/// Share of a suite in a campaign.
struct Share {
  std::vector<std::string> benchmarks;  // selected ones, in their order
  suites::TimeShare time;
};
using Shares = std::map<std::string, Share, std::less<>>;

/// Range of seconds that a suite can use with these of its benchmarks; nullopt: any time, as its points are
/// measured until their interval is narrow.
using RangeOf = std::function<std::optional<suites::TimeRange>(std::string_view suite,
                                                               std::span<const std::string> benchmarks)>;

/// Shares of the selected suites. They sum to the part of points_s() that is for measuring, as far as the
/// suites can use it. Each gets its part; time that one cannot use goes to the others in proportion, and time
/// that one lacks for its least is taken from them in proportion.
[[nodiscard]] Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of);

/// Seconds of each suite: `left_s` divided in proportion to their shares of a campaign, none below its least or
/// beyond its most; time that one cannot use goes to the others. The least is not kept for a suite that would
/// take more than half for it, beyond its part, nor for any suite if there is not enough for the least of all.
[[nodiscard]] std::map<std::string, double, std::less<>> divided(
    const std::map<std::string, suites::TimeRange, std::less<>>& ranges, double left_s);

/// Seconds that the survey of rates may take.
[[nodiscard]] double survey_s(Seconds budget);
/// Whether a survey that took so long took most of the budget, far beyond its own part: its calls waited for processors
/// that have other work.
[[nodiscard]] bool survey_met_busy_processors(Seconds budget, double taken_s);

/// Seconds for points and the time between them: the budget less the time of starting, the survey, the noise
/// records and the end of a campaign.
[[nodiscard]] double points_s(Seconds budget);

/// Sum of the minima of the points that are measured, set-up included.
[[nodiscard]] double minimum_s(const std::vector<suites::BlockPlan>& tables);

/// Fills PointPlan::minimum_s.
void estimate(std::vector<suites::BlockPlan>& tables, const MeasuringRule& rule);

/// Shrinks tables until their minima fit into the points' part of budget_s, in the order of the methodology
/// ("Campaign budget"): half the visits; every second size of tables with more than 12; six sizes of a table if
/// all points take the same time; the largest sizes if the transfer dominates; process numbers between the
/// smallest and the largest; whole suites from the last selected to the second. An indivisible block goes as
/// a whole or not at all. Points that are left out stay in the table, skipped with reason time. `rule` gets
/// the number of visits that remains. Returns one sentence per step taken; the last one says so if even the
/// least does not fit.
[[nodiscard]] std::vector<std::string> shrink(std::vector<suites::BlockPlan>& tables, MeasuringRule& rule,
                                              double budget_s);

/// Shrinks campaigns of several suites, before shrink(). The suites that follow the campaign's schedule get
/// parts of the time that prescribed experiments leave (divided(), at most enough visits for their points),
/// and each is shrunk to its own part: half the visits for all if one part does not hold its minima, then
/// every second size of long tables, process numbers between the smallest and the largest, six sizes of a
/// table, the points that take longest, as long as their tables keep one. The rest of a part beyond its minima
/// becomes the weight of its points. An expensive suite takes no sizes and no precision from the others.
[[nodiscard]] std::vector<std::string> shrink_parts(std::vector<suites::BlockPlan>& tables,
                                                    MeasuringRule& rule, double budget_s);

}  // namespace steelyard::campaign
