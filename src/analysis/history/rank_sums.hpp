// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

/// Two-sample rank tests over all cuts of a series, exact where the smaller side is short.
namespace steelyard::history {

/// Largest number of values on the smaller side for which probabilities are exact.
inline constexpr std::size_t most_exact_side = 20;
/// Length up to which a series with ties has the permutation distribution of its midranks. In longer ones
/// equal values are ordered by chance, the same each time, which is exact as well.
inline constexpr std::size_t most_tied = 60;
/// Fewest values on a side.
inline constexpr std::size_t least_side = 3;

/// Two-sided probabilities of Mann-Whitney's U at every cut of a series: element i compares the first
/// least_side + i values with the rest. Remembers distributions that many series need; every thread uses an
/// object of its own.
class RankSums {
 public:
  [[nodiscard]] std::vector<double> cuts(std::span<const double> values);
  /// The same by the normal distribution alone: quick for lengths that occur once.
  [[nodiscard]] static std::vector<double> rough_cuts(std::span<const double> values);
  /// Least p that so many values on each side can have: without ties, and in the order farthest from equal.
  [[nodiscard]] static double least(std::size_t left, std::size_t right);

 private:
  /// Probabilities that U is at most 0, 1, ... up to half of its range, by the length of the smaller side.
  using Tails = std::vector<std::vector<double>>;
  [[nodiscard]] Tails& tails_of(std::size_t both);
  [[nodiscard]] const std::vector<double>& tail(Tails& tails, std::size_t small, std::size_t large);

  std::unordered_map<std::size_t, Tails> tails_;  // by the length of both sides
  std::size_t held_ = 0;
};

/// z of a two-sided probability, and back; p from 1e-300 to 1.
[[nodiscard]] double z_of(double two_sided);
[[nodiscard]] double two_sided_of(double z);

}  // namespace steelyard::history
