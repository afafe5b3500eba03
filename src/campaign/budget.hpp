// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/select.hpp"
#include "suites/suite.hpp"

/// How much time points take and may take. Pure. Source: methodology, "Campaign budget".
namespace steelyard::campaign {

/// What the planner knows about how points will be measured.
struct MeasuringRule {
  std::optional<double> half_width;  // adaptive target; nothing = classic schedule
  int min_visits = 6;
  double point_limit_s = 2;  // --point-budget, adaptive only
  [[nodiscard]] bool adaptive() const { return half_width.has_value(); }
};

/// The least work that gives a value: pilot and min_visits visits, or the suite's own number of operations. A
/// point whose schedule is prescribed takes what it prescribes.
struct Demand {
  double operations = 0;
  double seconds = 0;
};
[[nodiscard]] Demand least_demand(const suites::PointPlan& point, const MeasuringRule& rule);

/// Part of a campaign that goes into set-up between the points.
inline constexpr double setup_share = 0.03;

/// Divides the time that is left among the points that are left: each gets its minimum and of the surplus a share by its
/// weight; when there is less than all minima together, each gets the same fraction of its minimum. The
/// sum over the points never exceeds the time left, unless what is prescribed does: that gets its time first.
class Allowance {
 public:
  struct Remaining {
    double minimum_s = 0;
    double weight = 0;
    double prescribed_s = 0;  // of points with a prescribed schedule, which have no weight
    void add(const suites::PointPlan& point);
    [[nodiscard]] double sum_s() const { return minimum_s + prescribed_s; }
  };
  /// left_s nothing = no limit but that of a point.
  Allowance(std::optional<double> left_s, Remaining remaining, double point_limit_s);
  /// Largest time that a point with this minimum and weight may take.
  [[nodiscard]] double point_s(double minimum_s, double weight = 1) const;
  /// The same for a point of a plan: its prescribed time if there is one.
  [[nodiscard]] double point_s(const suites::PointPlan& point) const;

 private:
  double share_s_ = 0;   // of the surplus, of a point of weight 1
  double fraction_ = 1;  // of the minimum
  double limit_s_ = 2;
};

/// Time that a point of the adaptive rule is expected to take: what one point does not need the later ones
/// get, so that nearly all that it may take is taken, never less than the minimum.
[[nodiscard]] double expected_s(double minimum_s, double allowed_s, const MeasuringRule& rule);
/// The same for a point of a plan: its prescribed time if there is one. Where it may not take its minimum: pilot, check and
/// the visits that fit, at least one.
[[nodiscard]] double expected_s(const suites::PointPlan& point, const Allowance& allowance,
                                const MeasuringRule& rule);
/// What a point of a plan takes that reaches its interval with the least number of visits: visits are longer the more
/// time there is.
[[nodiscard]] double easy_s(const suites::PointPlan& point, const Allowance& allowance,
                            const MeasuringRule& rule);

/// Of a suite with a share of a budget, before a block that may give way. Seconds as planned, but for what was taken.
struct SuiteSoFar {
  double planned_s = 0;  // of all of it
  double taken_s = 0;    // by what is done
  double planned_of_done_s = 0;
  double needed_s = 0;  // by what comes and does not give way
  double next_s = 0;    // by the block
};
/// Whether the suite would take more than 15 % longer than planned with that block, as much slower as what is done was.
[[nodiscard]] bool is_late(const SuiteSoFar& suite);

// How the budget of a campaign is divided among its suites before their sizes are chosen. Pure.

/// What of a campaign is a suite's.
struct Share {
  std::vector<std::string> benchmarks;  // selected ones, in their order
  suites::TimeShare time;
};
using Shares = std::map<std::string, Share, std::less<>>;

/// Seconds that a suite can use with these of its benchmarks; nothing: any time, as its points are measured
/// until their interval is narrow.
using RangeOf = std::function<std::optional<suites::TimeRange>(std::string_view suite,
                                                               std::span<const std::string> benchmarks)>;

/// Shares of the selected suites. They sum to what points_s() leaves for measuring, as far as the suites can use it.
/// Each gets its part; what one cannot use, and what it lacks for its least, is taken from the others in proportion.
[[nodiscard]] Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of);

/// Seconds of each suite: `left_s` divided in proportion to their shares of a campaign, none below its least or beyond its
/// most; what one cannot use is the others'. The least is not kept of a suite that would take more than half for it, beyond
/// its part, and of none where there is not enough for the least of all.
[[nodiscard]] std::map<std::string, double, std::less<>> divided(
    const std::map<std::string, suites::TimeRange, std::less<>>& ranges, double left_s);

/// Seconds that the survey of rates may take.
[[nodiscard]] double survey_s(Seconds budget);

/// Seconds for points and what lies between them: the budget less what starting, the survey, the noise records and the
/// end of a campaign take.
[[nodiscard]] double points_s(Seconds budget);

}  // namespace steelyard::campaign
