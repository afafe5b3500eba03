// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Measured point as --confirm sees it.
struct Measured {
  std::string series;  // the same for all points of one curve
  std::int64_t bytes = 0;
  std::optional<double> time_s;
  bool noisy = false;
};

/// Series of a point: all parameters but those of the size, which the points of one curve share.
[[nodiscard]] std::string series_of(const suites::PointPlan& point);

/// Factor between a time and the value of its neighbours on the curve beyond which it is an outlier.
inline constexpr double outlier_factor = 3;

/// Indices of points that deserve another try: noisy ones, and those whose time is more than outlier_factor
/// away from the value interpolated (logarithms, linear) between the next smaller and the next larger size of
/// the same series.
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const Measured> points);

}  // namespace steelyard::campaign
