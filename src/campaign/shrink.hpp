// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

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
