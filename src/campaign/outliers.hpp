// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/suite.hpp"

namespace steelyard::campaign {

/// A measured point as --confirm sees it.
struct Measured {
  std::string series;  // points of one curve have the same
  std::int64_t bytes = 0;
  std::optional<double> time_s;
  bool noisy = false;
};

/// What the points of one curve have in common: all parameters but those of the size.
[[nodiscard]] std::string series_of(const suites::PointPlan& point);

/// Whether a time lies more than this factor off what its neighbours on the curve say.
inline constexpr double outlier_factor = 3;

/// Indices of points that deserve another try: noisy ones, and those whose time is more than outlier_factor
/// away from the value interpolated (logarithms, linear) between the next smaller and the next larger size of
/// the same series.
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const Measured> points);

}  // namespace steelyard::campaign
