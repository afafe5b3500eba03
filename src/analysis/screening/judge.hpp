// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/screening/screening.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"

/// Rule by which nodes and links are judged, as far as it is the same for both. Of logarithms more is better.
/// Judges of nodes and of links. They add findings and an overview to what was found before.
namespace steelyard::screening {

using screen::Quantity;

/// Logarithm of the median of the visits that have a value; nullopt if none has one.
[[nodiscard]] std::optional<double> typical(const std::vector<double>& values, const Quantity& quantity);
/// Difference in percent of a value that is `off` from another, a logarithm of which more is better.
[[nodiscard]] double percent_of(double off, const Quantity& quantity);
/// Difference in percent of a value at the limit, on the worse side: a rate is never more than 100 % low.
[[nodiscard]] double limit_percent(double limit, const Quantity& quantity);
[[nodiscard]] double tolerance_of(const Options& options, const Quantity& quantity);
/// Logarithm of the largest over the smallest of the visits that have a value, of which there must be one.
[[nodiscard]] double spread_of(const Values& values);

/// Gain of usual nodes or links that were measured alone: the median of the logarithms.
template <class Judged>
[[nodiscard]] double gained(const std::vector<Judged>& all, const Quantity& quantity) {
  std::vector<double> steps;
  for (const Values& one : all) {
    const auto common = typical(one.visits, quantity), alone = typical(one.again, quantity);
    if (one.control && common && alone) steps.push_back(*alone - *common);
  }
  return steps.empty() ? 0 : stats::median(steps);
}
/// Distance from the usual when it was measured again; nullopt if it was not, or has no value.
[[nodiscard]] std::optional<double> off_again(const Values& values, double off, double gained,
                                              const Quantity& quantity);
/// Whether it was worse by more than the limit when it was measured again too.
[[nodiscard]] bool is_confirmed(std::optional<double> again, double limit);

/// Node or link that is looked at visit by visit.
struct Visited {
  const Values* values = nullptr;
  double usual = 0;  // what the node or link is expected to show
  double limit = 0;  // of its median
};
/// Number of visits in which each of them is worse than the others by the rule, and by more than the limit of its
/// median: in a visit few others may agree by chance.
[[nodiscard]] std::vector<std::size_t> worse_visits(const std::vector<Visited>& all, double tolerance,
                                                    double quantile, const Quantity& quantity);

/// Notes what was found when it was measured again. What was well then is unstable, unless it was
/// in company before.
void note_again(Finding& finding, std::optional<double> again, double limit, bool always_alone,
                const Quantity& quantity);
/// Puts words before the note.
void put_words(Finding& finding, std::string_view words);

/// Judges the links of one test, and their ends.
void judge_links(const LinkTest& test, const Options& options, const Measured& measured, Screening& out);

/// Properties that are the same within each of two groups of hosts and not between them: "cores 64 / 48".
[[nodiscard]] std::string difference(const std::array<std::vector<std::size_t>, 2>& groups,
                                     const std::vector<record::Document>& machines);

}  // namespace steelyard::screening
