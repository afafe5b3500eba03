// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/task.hpp"
#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::imb {

/// Adds the figures of benchmarks with a comparison beside their time: what they are compared with, and
/// what follows; of the slowest rank where ranks differ. `record` is that of all groups or, by its
/// parameter "group", of one.
void put_own(const Definition& definition, const suites::BlockPlan& block, const measure::Outcome& outcome,
             record::PointRecord& record);

}  // namespace steelyard::imb
