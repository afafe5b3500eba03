// SPDX-License-Identifier: Apache-2.0
#include "campaign/schedules.hpp"

#include <algorithm>

namespace steelyard::campaign {
namespace {

constexpr std::uint64_t default_warmup = 2;
// Below this no visit of a point makes sense; a campaign out of time ends instead.
constexpr double least_allowance_s = 1e-3;

measure::AdaptiveRule adaptive_rule(const RunOptions& options, const Plan& plan,
                                    const measure::ClockFigures& clock, std::int64_t message_byte,
                                    double allowed_s) {
  measure::AdaptiveRule rule;
  rule.half_width = options.half_width;
  rule.point_budget = Seconds{std::max(allowed_s, least_allowance_s)};
  rule.min_batches = options.min_batches;
  rule.max_batches = options.max_batches;
  rule.min_visits = plan.min_visits;
  rule.clock = clock;
  rule.message_byte = message_byte;
  if (options.schedule == ScheduleKind::timed) {
    rule.run_for = options.timed_for;
    rule.point_budget = std::max(rule.point_budget, options.timed_for);
  }
  return rule;
}

}  // namespace

std::unique_ptr<measure::Schedule> make_schedule(const RunOptions& options, const Plan& plan,
                                                 const measure::ClockFigures& clock,
                                                 std::int64_t message_byte, double allowed_s) {
  switch (options.schedule) {
    case ScheduleKind::fixed:
      return measure::fixed_schedule(options.fixed_operations, options.warm_up.value_or(default_warmup));
    case ScheduleKind::adaptive:
    case ScheduleKind::timed:
      return measure::adaptive_schedule(adaptive_rule(options, plan, clock, message_byte, allowed_s));
    case ScheduleKind::suite:
      break;
  }
  return nullptr;
}

MeasuringRule measuring_rule(const RunOptions& options, const Plan& plan) {
  MeasuringRule rule;
  if (options.schedule == ScheduleKind::adaptive) rule.half_width = options.half_width;
  rule.min_visits = plan.min_visits;
  rule.point_limit_s = plan.point_limit.value();
  return rule;
}

}  // namespace steelyard::campaign
