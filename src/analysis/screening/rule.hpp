// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/screening/screening.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"

/// The rule by which nodes and links are judged, as far as it is the same for both. Logarithms are in the sense of
/// better.
namespace steelyard::screening {

using screen::Quantity;

/// Median of the visits that have a value, in logarithms.
[[nodiscard]] std::optional<double> typical(const std::vector<double>& values, const Quantity& quantity);
/// What the value differs by where it is `off` in the sense of better.
[[nodiscard]] double percent_of(double off, const Quantity& quantity);
/// What a value differs by at the limit, in the sense of worse: a rate is never more than 100 % low.
[[nodiscard]] double limit_percent(double limit, const Quantity& quantity);
[[nodiscard]] double tolerance_of(const Options& options, const Quantity& quantity);
/// Of the visits that have a value, of which there must be one: best to worst, in logarithms.
[[nodiscard]] double spread_of(const Values& values);

/// What usual nodes or links gained when they were measured alone.
template <class Judged>
[[nodiscard]] double gained(const std::vector<Judged>& all, const Quantity& quantity) {
  std::vector<double> steps;
  for (const Values& one : all) {
    const auto common = typical(one.visits, quantity), alone = typical(one.again, quantity);
    if (one.control && common && alone) steps.push_back(*alone - *common);
  }
  return steps.empty() ? 0 : stats::median(steps);
}
/// Off when it was measured again.
[[nodiscard]] std::optional<double> off_again(const Values& values, double off, double gained,
                                              const Quantity& quantity);
/// Worse by more than the limit when it was measured again too.
[[nodiscard]] bool is_confirmed(std::optional<double> again, double limit);

/// Nodes or links that are looked at visit by visit.
struct Visited {
  const Values* values = nullptr;
  double usual = 0;  // what the node or link is expected to show
};
/// Of each in how many visits it is worse than the others by the rule.
[[nodiscard]] std::vector<std::size_t> worse_visits(const std::vector<Visited>& all, double tolerance,
                                                    double quantile, const Quantity& quantity);

/// Tells what was found when it was measured again; what was well then is unstable, unless it was in company before.
void note_again(Finding& finding, std::optional<double> again, double limit, bool always_alone,
                const Quantity& quantity);
/// Puts words before the note.
void put_words(Finding& finding, std::string_view words);

}  // namespace steelyard::screening
