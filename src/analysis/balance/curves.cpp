// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/curves.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::balance {
namespace {

constexpr double same_x = 1e-9, at_point_share = 0.05, farthest = 2;

double power_law(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y * std::pow(x / a.x, std::log(b.y / a.y) / std::log(b.x / a.x));
}

double line(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

}  // namespace

std::vector<CurvePoint> tidy(std::vector<CurvePoint> points) {
  std::ranges::sort(points, {}, &CurvePoint::x);
  std::vector<CurvePoint> kept;
  for (const CurvePoint& point : points) {
    const bool repeats = !kept.empty() && point.x - kept.back().x <= same_x * kept.back().x;
    if (!repeats)
      kept.push_back(point);
    else if (point.y > kept.back().y)
      kept.back().y = point.y;
  }
  return kept;
}

std::string_view text(Reach reach) {
  switch (reach) {
    case Reach::interpolated:
      return "interpolated";
    case Reach::extrapolated:
      return "extrapolated";
    case Reach::at_point:
      return "at point";
    case Reach::out_of_range:
      break;
  }
  return "out of range";
}

Interpolated interpolate(std::vector<CurvePoint> points, double x, Method method) {
  points = tidy(std::move(points));
  if (points.empty()) return {};
  const CurvePoint &first = points.front(), &last = points.back();
  if (points.size() == 1)
    return std::abs(x / first.x - 1) <= at_point_share ? Interpolated{first.y, Reach::at_point}
                                                       : Interpolated{};
  if (x < first.x / farthest || x > last.x * farthest) return {};
  if (x < first.x) return {power_law(first, points[1], x), Reach::extrapolated};
  if (x > last.x) return {power_law(points[points.size() - 2], last, x), Reach::extrapolated};
  const auto above =
      std::ranges::find_if(points.begin() + 1, points.end() - 1, [&](const auto& p) { return p.x >= x; });
  const CurvePoint &a = *(above - 1), &b = *above;
  return {method == Method::linear ? line(a, b, x) : power_law(a, b, x), Reach::interpolated};
}

std::optional<double> scaling_exponent(std::vector<CurvePoint> points) {
  points = tidy(std::move(points));
  if (points.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0, products = 0, squares = 0;
  for (const auto& p : points) {
    mean_x += std::log(p.x) / n;
    mean_y += std::log(p.y) / n;
  }
  for (const auto& p : points) {
    products += (std::log(p.x) - mean_x) * (std::log(p.y) - mean_y);
    squares += (std::log(p.x) - mean_x) * (std::log(p.x) - mean_x);
  }
  return products / squares;
}

}  // namespace steelyard::balance
