// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/order.hpp"

/// Comparing two sides, launch by launch. Source: docs/methodology.md, "Comparing".
/// Many things that should be alike, and the few that are not: by median and median absolute deviation, which the few
/// cannot move. All values are logarithms, and more is better.
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

/// z that a normal value stays below with probability 1 - 0.01 / looks: among so many looks one alarm in a hundred
/// without a cause.
[[nodiscard]] double alarm_quantile(double looks);

/// Usual value and its spread.
struct Usual {
  double middle = 0;  // median
  double spread = 0;  // standard deviation by the median absolute deviation, more of few values
};
/// Requires a value.
[[nodiscard]] Usual usual(std::span<const double> logs);

/// Number of values below which nothing is said of one among the others.
inline constexpr std::size_t fewest_alike = 5;

/// Where a value stands among those of its group.
struct Standing {
  int group = 0;   // 0 unless there are two; 0 is the better one
  double off = 0;  // from the middle of the group; negative: worse
  double limit = 0;
  bool judged = false;  // its group is large enough
  [[nodiscard]] bool worse() const { return judged && off < -limit; }
  [[nodiscard]] bool better() const { return judged && off > limit; }
};

struct Standings {
  std::vector<Standing> of;  // in the order of the values
  std::vector<Usual> groups;
  [[nodiscard]] bool two_groups() const { return groups.size() > 1; }
};

/// Standings of values. A value stands out where it is off by more than ln(1 + tolerance) and by more than
/// alarm_quantile(values * tests) spreads. There are two groups, each judged by itself, where the cut that
/// separates two sides best, each with five and 10 % of the values, has their middles apart by more than the
/// tolerance, and also by more than so many spreads of the values within their sides, or where more than 20 %
/// of all would stand out. `of_all_kinds`: number of values of all kinds that are judged apart from one
/// another; 0: there are no others.
[[nodiscard]] Standings standings(std::span<const double> logs, double tolerance, int tests,
                                  std::size_t of_all_kinds = 0);

/// A value between two ends, of a class of its own kind.
struct Between {
  std::size_t a = 0, b = 0;
  double log = 0;
  std::size_t kind = 0;
};
/// log = level of the class + effect of a + effect of b + residual.
struct Polished {
  std::vector<double> levels, effects, residuals;
};
/// Median polish, at most 10 sweeps; the median of all effects is 0. Ends without a value have the effect 0.
[[nodiscard]] Polished median_polish(std::span<const Between> values, std::size_t ends);

/// Ends that are better where they are among themselves alone: a link is as good as the worse of its two ends,
/// so that half of the ends with half the rate leave three quarters of the links with it, and a sum of effects
/// tells none of it. Returns for each end whether it is one of them: the links between two of them are better
/// than the others of their class, all but one in twenty, and none of the others are. Empty if there are no
/// such ends, or fewer than five or 10 % of the ends on either side.
[[nodiscard]] std::vector<bool> better_among_themselves(std::span<const Between> values, std::size_t ends,
                                                        double tolerance);

/// Ends and links, judged apart: a link by what the effects of its ends leave of it.
struct LinkStandings {
  Polished fit;
  Standings ends;                   // by the effects; an end without a value stands at 0
  std::vector<Standing> links;      // in the order of the values
  std::vector<bool> better;         // of each end, as better_among_themselves() has it: their links are apart
  std::size_t kinds = 1;            // classes of the values
  std::vector<std::size_t> counts;  // values of each level of the fit
  /// Place of a link's level in the fit: links with one end that is better have levels behind those with none,
  /// and those with two behind these.
  [[nodiscard]] std::size_t place(const Between& link) const;
  /// Level of a link by its ends and class, without their effects; nullopt if there is no value of that level.
  [[nodiscard]] std::optional<double> level(const Between& link) const;
};
/// Standings of ends and links. An end is judged by the rule of standings(), but off by as many standard
/// errors of its effect as that rule takes spreads: links that scatter tell little of their ends. A link
/// stands out where it is off by more than ln(1 + tolerance) and by more than alarm_quantile(links) spreads.
/// Ends that are better among themselves are a group, and links are compared with those that have as many of
/// them. Nothing is said with fewer than five ends, nor of links whose fit leaves none free.
[[nodiscard]] LinkStandings link_standings(std::span<const Between> values, std::size_t ends,
                                           double tolerance, int tests);

}  // namespace steelyard::stats
