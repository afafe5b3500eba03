// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/task.hpp"
#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::imb {

/// Adds what benchmarks with a computation beside them tell: times of the rank whose operations took longest,
/// of all ranks where they are few, the overlap by the rules of the version and as a share of the
/// communication. `record` is that of all groups or, by its parameter "group", of one.
void put_overlap(Version version, const suites::BlockPlan& block, const measure::Outcome& outcome,
                 record::PointRecord& record);

/// Adds what making and freeing a persistent request took: the mean over ranks, and as classic values also that of the
/// slowest.
void put_requests(const suites::BlockPlan& block, const measure::Outcome& outcome,
                  record::PointRecord& record);

/// Ranks up to which a record lists the times of each.
inline constexpr int most_ranks_listed = 64;

}  // namespace steelyard::imb
