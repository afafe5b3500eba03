// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "campaign/budget.hpp"
#include "campaign/runner.hpp"

namespace steelyard::campaign {

/// The campaign's own schedule of a point that may take allowed_s; nothing if the suites' own rules are used.
[[nodiscard]] std::unique_ptr<measure::Schedule> make_schedule(const RunOptions& options, const Plan& plan,
                                                               const measure::ClockFigures& clock,
                                                               std::int64_t message_byte, double allowed_s);

/// How the points of a run are measured, as the planner sees it.
[[nodiscard]] MeasuringRule measuring_rule(const RunOptions& options, const Plan& plan);

}  // namespace steelyard::campaign
