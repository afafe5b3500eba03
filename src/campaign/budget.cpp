// SPDX-License-Identifier: Apache-2.0
#include "campaign/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/schedule.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::campaign {
namespace {

constexpr double shortest_visit_s = 0.2e-3;
// Time of barriers, probes and the reduction of one visit; a first guess that the measured pace corrects.
constexpr double between_visits_s = 0.1e-3;
constexpr double shortest_pilot_s = 20e-6;
constexpr double longest_pilot_s = 10e-3;
constexpr double warmup_operations = 2;

/// Demand of the pilot: two warm-up operations, then 1, 2, 4, ... until they last long enough, which is twice
/// the last trial. The pilot of a long operation is its first batch.
Demand pilot(double operation_s) {
  if (operation_s > longest_pilot_s) return {};
  const double trials = 2 * std::max(shortest_pilot_s, operation_s);
  return {warmup_operations + trials / operation_s, warmup_operations * operation_s + trials};
}

Demand visit(double operation_s, double half_width) {
  const std::uint64_t batches = measure::AdaptiveRule{}.batches_per_visit;
  const auto k = measure::ops_per_batch(operation_s, half_width, {}, batches);
  const double timed = static_cast<double>(k * batches) * operation_s;
  const double seconds = warmup_operations * operation_s + std::max(timed, shortest_visit_s);
  return {seconds / operation_s, seconds};
}

Demand adaptive(double operation_s, const suites::CostModel& cost, const MeasuringRule& rule) {
  const Demand first = pilot(operation_s);
  const Demand each = visit(operation_s, *rule.half_width);
  const double visits =
      std::clamp(std::floor(rule.point_limit_s / each.seconds), 1.0, double(rule.min_visits));
  // a visit that does not fit is cut, in the end to one operation
  const double visit_s = std::min(each.seconds, std::max(rule.point_limit_s, operation_s));
  const double beside_s = visits * cost.visit_s + cost.check_s;
  return {first.operations + visits * visit_s / operation_s,
          first.seconds + visits * (visit_s + between_visits_s) + beside_s, beside_s};
}

/// Demand of a point that is measured so long at least.
Demand lasting(const Demand& least, double seconds, double operation_s) {
  const double more_s = std::max(0.0, seconds - least.seconds);
  return {least.operations + more_s / operation_s, least.seconds + more_s, least.beside_s};
}

Demand classic(const suites::PointPlan& point, double operation_s) {
  const double operations =
      static_cast<double>(std::max<std::uint64_t>(point.classic_operations, 1)) + warmup_operations;
  return {operations, operations * operation_s + between_visits_s + point.cost.visit_s + point.cost.check_s};
}

// Parts of the budget for the start and the end of a campaign beside the survey: a second (of short budgets a
// tenth) and a part of the whole.
constexpr double frame_share = 0.01, frame_s = 1, most_of_a_short_budget = 0.1;

// Part of the budget for the survey; more of a short one, as rates of a few milliseconds tell little.
constexpr double survey_share = 0.03, longest_survey_s = 8, least_survey_s = 0.5,
                 survey_share_of_short = 0.06;

/// Claim of a suite while the budget is divided.
struct Claim {
  double part = 0;
  suites::TimeRange range{0, std::numeric_limits<double>::infinity()};
  double seconds = 0;
  bool settled = false;
};
using Claims = std::map<std::string, Claim, std::less<>>;

/// Gives each claim that is not settled its part of the time that the settled ones leave.
void give_parts(Claims& claims, double usable_s) {
  double left_s = usable_s, sum = 0;
  for (const auto& [name, claim] : claims)
    if (claim.settled)
      left_s -= claim.seconds;
    else
      sum += claim.part;
  for (auto& [name, claim] : claims)
    if (!claim.settled) claim.seconds = std::max(0.0, left_s) * claim.part / sum;
}

/// Divides the remaining time among the claims that are not settled, by their parts. Returns true if none of them gets
/// less than its least or more than its most. Else it settles those of one side only, the side on which more time is
/// missing or left over: what they give back or take may bring the others within their ranges.
bool divide(Claims& claims, double usable_s) {
  give_parts(claims, usable_s);
  const auto beyond_s = [](const Claim& claim) {
    if (claim.settled) return 0.0;
    return std::clamp(claim.seconds, claim.range.least_s, claim.range.most_s) - claim.seconds;
  };
  double missing_s = 0;
  bool done = true;
  for (const auto& [name, claim] : claims) {
    missing_s += beyond_s(claim);
    done = done && beyond_s(claim) == 0;
  }
  for (auto& [name, claim] : claims) {
    const double beyond = beyond_s(claim);
    if (beyond == 0 || beyond * missing_s < 0) continue;
    claim.seconds = beyond > 0 ? claim.range.least_s : claim.range.most_s;
    claim.settled = true;
  }
  return done;
}

}  // namespace

Demand least_demand(const suites::PointPlan& point, const MeasuringRule& rule) {
  const double operation_s = std::max(point.cost.operation_s(), 1e-9);
  if (point.prescribed_s) return {*point.prescribed_s / operation_s, *point.prescribed_s};
  if (!rule.adaptive()) return classic(point, operation_s);
  const auto bundle = static_cast<double>(std::max<std::uint64_t>(point.bundle, 1));
  Demand bundles = adaptive(bundle * operation_s, point.cost, rule);
  if (rule.timed) bundles = lasting(bundles, rule.point_limit_s, bundle * operation_s);
  return {bundle * bundles.operations, bundles.seconds, bundles.beside_s};
}

void Allowance::Remaining::add(const suites::PointPlan& point) {
  if (point.prescribed_s) {
    prescribed_s += point.minimum_s;
    return;
  }
  minimum_s += point.minimum_s;
  weight += point.weight;
}

Allowance::Allowance(std::optional<double> left_s, Remaining remaining, double point_limit_s)
    : limit_s_(point_limit_s) {
  if (!left_s) {
    share_s_ = point_limit_s;
    return;
  }
  const double usable = std::max(0.0, *left_s * (1 - setup_share) - remaining.prescribed_s);
  if (usable < remaining.minimum_s)
    fraction_ = usable / remaining.minimum_s;
  else if (remaining.weight > 0)
    share_s_ = (usable - remaining.minimum_s) / remaining.weight;
}

double Allowance::wanted_s(double minimum_s, double weight) const {
  return fraction_ * minimum_s + weight * share_s_;
}

double Allowance::point_s(double minimum_s, double weight) const {
  return std::min(wanted_s(minimum_s, weight), std::max(limit_s_, minimum_s));
}

double Allowance::point_s(const suites::PointPlan& point) const {
  return point.prescribed_s.value_or(point_s(point.minimum_s, point.weight));
}

double Allowance::measuring_s(const suites::PointPlan& point, const MeasuringRule& rule) const {
  if (point.prescribed_s) return *point.prescribed_s;
  const double beside_s = std::min(least_demand(point, rule).beside_s, point.minimum_s);
  const double visit_s = (point.minimum_s - beside_s) / std::max(rule.min_visits, 1);
  const double left_s = wanted_s(point.minimum_s, point.weight) - beside_s;
  return std::min(std::max(left_s, visit_s), limit_s_);
}

double expected_s(double minimum_s, double allowed_s, const MeasuringRule& rule) {
  if (!rule.adaptive()) return minimum_s;
  constexpr double nearly = 0.9;
  return std::max(minimum_s, nearly * allowed_s);
}

double expected_s(const suites::PointPlan& point, const Allowance& allowance, const MeasuringRule& rule) {
  if (point.prescribed_s) return *point.prescribed_s;
  const double allowed_s = allowance.point_s(point);
  if (!rule.adaptive() || allowed_s >= point.minimum_s || rule.min_visits < 2)
    return expected_s(point.minimum_s, allowed_s, rule);
  // A visit that would not fit any more is not begun; pilot, first visit and check are.
  MeasuringRule once = rule;
  once.min_visits = 1;
  const double first_s = std::min(least_demand(point, once).seconds, point.minimum_s);
  const double visit_s = (point.minimum_s - first_s) / (rule.min_visits - 1);
  const double more = visit_s > 0 ? std::floor(std::max(0.0, allowed_s - first_s) / visit_s) : 0;
  return first_s + more * visit_s;
}

double easy_s(const suites::PointPlan& point, const Allowance& allowance, const MeasuringRule& rule) {
  if (point.prescribed_s || !rule.adaptive()) return expected_s(point, allowance, rule);
  const double longest_s = allowance.point_s(point) / measure::AdaptiveRule{}.max_visits;
  return std::max(point.minimum_s, rule.min_visits * longest_s);
}

bool is_late(const SuiteSoFar& suite) {
  constexpr double tolerated = 1.15;
  const double slower =
      suite.planned_of_done_s > 0 ? std::max(1.0, suite.taken_s / suite.planned_of_done_s) : 1;
  return suite.taken_s + suite.needed_s + slower * suite.next_s > tolerated * suite.planned_s;
}

double survey_s(Seconds budget) {
  const double least_s = std::min(least_survey_s, survey_share_of_short * budget.value());
  return std::clamp(survey_share * budget.value(), least_s, longest_survey_s);
}

bool survey_met_busy_processors(Seconds budget, double taken_s) {
  constexpr double most = 0.5, far_beyond = 3;
  constexpr double always_s = 2;  // kernels are tried once, however short the budget
  return taken_s > most * budget.value() && taken_s > far_beyond * survey_s(budget) + always_s;
}

double points_s(Seconds budget) {
  const double whole_s = budget.value();
  return whole_s * (1 - frame_share) - std::min(frame_s, most_of_a_short_budget * whole_s) - survey_s(budget);
}

std::map<std::string, double, std::less<>> divided(
    const std::map<std::string, suites::TimeRange, std::less<>>& ranges, double left_s) {
  constexpr double half = 0.5;  // beyond it a suite would starve the others for its least
  Claims claims;
  double parts = 0, least_s = 0;
  for (const auto& [suite, range] : ranges) parts += suites::suite_entry(suite).share;
  for (const auto& [suite, range] : ranges) {
    Claim& claim = claims[suite];
    claim.part = suites::suite_entry(suite).share;
    claim.range = {range.least_s, std::max(range.most_s, range.least_s)};
    if (range.least_s > std::max(half, claim.part / parts) * left_s) claim.range.least_s = 0;
    least_s += claim.range.least_s;
  }
  // If there is not enough for the least of all, each suite gets its own part.
  if (least_s > left_s)
    for (auto& [suite, claim] : claims) claim.range.least_s = 0;
  while (!divide(claims, left_s)) {
  }
  std::map<std::string, double, std::less<>> seconds;
  for (const auto& [suite, claim] : claims) seconds[suite] = claim.seconds;
  return seconds;
}

Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of) {
  constexpr suites::TimeRange any{0, std::numeric_limits<double>::infinity()};
  Shares all;
  for (const Selected& one : selected)
    all[std::string(one.suite->name())].benchmarks.push_back(one.benchmark);
  std::map<std::string, suites::TimeRange, std::less<>> ranges;
  for (const auto& [suite, share] : all) ranges[suite] = range_of(suite, share.benchmarks).value_or(any);
  for (const auto& [suite, seconds] : divided(ranges, points_s(budget) * (1 - setup_share)))
    all[suite].time = {seconds, budget.value()};
  return all;
}

}  // namespace steelyard::campaign
