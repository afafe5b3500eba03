// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "measure/summary.hpp"

/// The few figures that a schedule asks for while a point is measured; cheaper than a summary. Pure.
namespace steelyard::measure {

/// For each visit whether it belongs to the state with most visits.
[[nodiscard]] std::vector<bool> in_dominant_state(std::span<const VisitSamples> visits);

/// Relative half-width of the interval of the median over the chosen visits; medians are those of the visits.
[[nodiscard]] std::optional<double> half_width_of(std::span<const VisitSamples> visits,
                                                  std::span<const double> medians,
                                                  const std::vector<bool>& chosen, double half_grid_s);

}  // namespace steelyard::measure
