// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/comparison/comparison.hpp"

/// Numbers of other programs beside ours: what is the same experiment, and which of our numbers is the same statistic.
namespace steelyard::comparison {

/// Whether any run was read from the text of another program.
[[nodiscard]] bool holds_imported(std::span<const record::Run> runs);

/// Makes points of both sides meet. A parameter that the text of one side cannot tell is taken out of the
/// keys of both; points that are then alike in one run are left out. With `twins`, benchmarks of other
/// programs meet those of ours that do the same. Returns a sentence for each thing that was done.
[[nodiscard]] std::vector<std::string> align(std::vector<record::Run>& base, std::vector<record::Run>& now,
                                             bool twins);

/// How an imported number was made: "mean, over ranks: max". Empty for our own.
[[nodiscard]] std::string statistic_of(const record::PointRecord& point);

/// Number of `metric` of a point of ours by the same definition as the imported one; nullopt if
/// it is not recorded.
[[nodiscard]] std::optional<double> same_definition(const record::PointRecord& own,
                                                    const record::PointRecord& imported,
                                                    std::string_view metric);

/// One unit of the last printed digit; 0 if it is not told, and for points of ours.
[[nodiscard]] double step_of(const record::PointRecord& point);

}  // namespace steelyard::comparison
