// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/order.hpp"

/// Comparing two sides, launch by launch. Source: docs/methodology.md, "Comparing".
namespace steelyard::stats {

// Student's t: the normal distribution with a spread that was estimated from few values.

/// Share beyond either end of an interval of 95 %.
inline constexpr double tail95 = 0.025;

/// Quantile of the normal distribution for that share, to two decimals as in the tables.
inline constexpr double z95 = 1.96;

/// Probability that |T| exceeds |t|. freedom >= 1.
[[nodiscard]] double student_two_sided(double t, std::size_t freedom);

/// t that |T| stays below with probability `level`, below 1. freedom >= 1.
[[nodiscard]] double student(std::size_t freedom, double level);

/// t that |T| exceeds with probability 0.05, the two tails of an interval of 95 %. freedom >= 1.
[[nodiscard]] double student95(std::size_t freedom);

/// Mann-Whitney U of side b (ties count 1/2), two-sided p: exact when sizes multiply to <= 400 without ties,
/// else normal with tie correction and continuity 1/2.
struct MannWhitney {
  double u = 0;
  double p = 1;
  bool exact = false;
};
[[nodiscard]] MannWhitney mann_whitney(std::span<const double> a, std::span<const double> b);

/// Largest K with Prob(U <= K) <= (1 - level) / 2 for launches a and b a side; -1 if there is none.
[[nodiscard]] int hodges_lehmann_rank(std::size_t a, std::size_t b, double level = 0.95);

/// exp of the median of all differences ln b - ln a, and its interval. All values > 0.
/// Throws std::domain_error with fewer than 5 values on a side, or too few for the level.
struct RatioEstimate {
  double ratio = 1;
  Interval interval;
};
[[nodiscard]] RatioEstimate hodges_lehmann_ratio(std::span<const double> a, std::span<const double> b,
                                                 double level = 0.95);

/// Wilcoxon's signed ranks of differences of pairs: w is the sum of the ranks of the positive ones. Zeros are
/// left out, equal sizes share their ranks. Two-sided p: exact up to 50 differences without ties, else normal
/// with tie correction and continuity 1/2.
struct SignedRank {
  double w = 0;
  double p = 1;
  bool exact = false;
};
[[nodiscard]] SignedRank wilcoxon(std::span<const double> differences);

/// Fewest pairs that have an interval at level 0.95.
inline constexpr std::size_t fewest_pairs = 6;

/// Largest K with Prob(W <= K) <= 0.025 for so many pairs; -1 if there is none.
[[nodiscard]] int signed_rank(std::size_t pairs);

/// exp of the median of the means of every two differences of ln (each also with itself), and its interval.
/// Throws std::domain_error with fewer than 6 pairs.
[[nodiscard]] RatioEstimate paired_ratio(std::span<const double> log_differences);

/// Cliff's delta 2 U / (n_a n_b) - 1, in [-1, 1].
[[nodiscard]] double cliffs_delta(std::span<const double> a, std::span<const double> b);

/// For each p-value whether it is significant at false discovery rate alpha (step-up).
[[nodiscard]] std::vector<bool> benjamini_hochberg(std::span<const double> p, double alpha);

}  // namespace steelyard::stats
