// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Values of one platform over its computing power. Source: 004_d8fcc96de81908c2.txt sections 4 and 6.
namespace steelyard::balance {

struct CurvePoint {
  double x = 0;  // HPL of the whole system
  double y = 0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Sorted by x; of points with equal x (within 1e-9) the one with the larger y.
[[nodiscard]] std::vector<CurvePoint> tidy(std::vector<CurvePoint> points);

enum class Method { linear, loglog };
enum class Reach { interpolated, extrapolated, at_point, out_of_range };
[[nodiscard]] std::string_view text(Reach reach);

struct Interpolated {
  std::optional<double> value;
  Reach reach = Reach::out_of_range;
};
/// Between two points by `method`; up to a factor 2 beyond an end by the power law through the two points
/// nearest to it; at the only point of a curve within 5 %.
[[nodiscard]] Interpolated interpolate(std::vector<CurvePoint> points, double x, Method method);

/// Slope of ln y over ln x by least squares; nothing for fewer than two different x.
[[nodiscard]] std::optional<double> scaling_exponent(std::vector<CurvePoint> points);

}  // namespace steelyard::balance
