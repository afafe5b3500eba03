// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/order.hpp"

/// Comparing two sides, launch by launch. Source: docs/methodology.md, "Comparing".
namespace steelyard::stats {

/// Mann-Whitney U of side b (ties count 1/2), two-sided p: exact when sizes multiply to <= 400 without ties,
/// else normal with tie correction and continuity 1/2.
struct MannWhitney {
  double u = 0;
  double p = 1;
  bool exact = false;
};
[[nodiscard]] MannWhitney mann_whitney(std::span<const double> a, std::span<const double> b);

/// Largest K with Prob(U <= K) <= 0.025 for launches a and b a side; -1 if there is none.
[[nodiscard]] int hodges_lehmann_rank(std::size_t a, std::size_t b);

/// exp of the median of all differences ln b - ln a, and its interval. All values > 0.
/// Throws std::domain_error with fewer than 5 values on a side.
struct RatioEstimate {
  double ratio = 1;
  Interval interval;
};
[[nodiscard]] RatioEstimate hodges_lehmann_ratio(std::span<const double> a, std::span<const double> b);

/// 2 U / (n_a n_b) - 1, in [-1, 1].
[[nodiscard]] double cliffs_delta(std::span<const double> a, std::span<const double> b);

/// For each p-value whether it is significant at false discovery rate alpha (step-up).
[[nodiscard]] std::vector<bool> benjamini_hochberg(std::span<const double> p, double alpha);

}  // namespace steelyard::stats
