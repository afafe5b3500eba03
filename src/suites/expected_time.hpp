// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "suites/suite.hpp"

namespace steelyard::suites {

/// Seconds that those points of the benchmarks take whose schedule is their own, as far as they can be
/// measured.
[[nodiscard]] inline double prescribed_s(const Suite& suite, std::span<const std::string> benchmarks,
                                         int world) {
  double sum = 0;
  for (const BlockPlan& block : suite.plan(benchmarks, world))
    for (const PointPlan& point : block.points)
      if (point.measurable()) sum += point.prescribed_s.value_or(0);
  return sum;
}

}  // namespace steelyard::suites
