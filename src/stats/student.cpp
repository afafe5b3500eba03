// SPDX-License-Identifier: Apache-2.0
#include "stats/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace steelyard::stats {
namespace {

/// first + first (a / b) x + first (a / b) ((a + 2) / (b + 2)) x^2 + ..., so many terms.
double sum(double first, double a, double b, double x, std::size_t terms) {
  double all = 0, term = first;
  for (std::size_t k = 0; k < terms; ++k, a += 2, b += 2) {
    all += term;
    term *= a / b * x;
  }
  return all;
}

}  // namespace

// With a whole number of degrees of freedom the distribution is a finite sum over tan(angle) = t / sqrt(nu).
double student_two_sided(double t, std::size_t freedom) {
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(freedom)));
  const double s = std::sin(angle), c = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  const double inside = odd ? 2 / std::numbers::pi * (angle + s * sum(c, 2, 3, c * c, freedom / 2))
                            : s * sum(1, 1, 2, c * c, freedom / 2);
  return std::clamp(1 - inside, 0.0, 1.0);
}

double student95(std::size_t freedom) {
  double low = 1, high = 16;  // 12.7 with one degree of freedom, 1.96 with many
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (student_two_sided(middle, freedom) > 2 * tail95 ? low : high) = middle;
  }
  return high;
}

}  // namespace steelyard::stats
