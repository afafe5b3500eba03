// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Sum of the minima of what is to be measured, set-up included.
[[nodiscard]] double minimum_s(const std::vector<suites::BlockPlan>& tables);

/// Fills PointPlan::minimum_s.
void estimate(std::vector<suites::BlockPlan>& tables, const MeasuringRule& rule);

/// Shrinks tables until their minima fit into what budget_s leaves for points, in the order of the methodology
/// ("Campaign budget"): half the visits; every second size of tables with more than 12; the largest sizes where
/// the transfer dominates; process numbers between the smallest and the largest; whole suites from the last
/// selected to the second. An indivisible block goes as a whole or not at all. What is left out stays, skipped for its
/// time. `rule` gets the visits that remain. One sentence per step taken; the last one says so when even the
/// least does not fit.
[[nodiscard]] std::vector<std::string> shrink(std::vector<suites::BlockPlan>& tables, MeasuringRule& rule,
                                              double budget_s);

/// The same for campaigns of several suites, before shrink(): those that follow the campaign's schedule get
/// parts of what prescribed experiments leave (divided(), at most what enough visits of their points take), and each is
/// shrunk to its own: for all half the visits where one part does not hold its minima, then every second size of long
/// tables, process numbers between the smallest and the largest, six sizes of a table, the points that take longest, as
/// long as their tables keep one. What a part holds beyond its minima becomes the weight of its points. A suite that is
/// dear takes no sizes and no precision from the others.
[[nodiscard]] std::vector<std::string> shrink_parts(std::vector<suites::BlockPlan>& tables,
                                                    MeasuringRule& rule, double budget_s);

}  // namespace steelyard::campaign
