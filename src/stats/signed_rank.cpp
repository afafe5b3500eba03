// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "stats/compare.hpp"
#include "stats/confidence.hpp"

namespace steelyard::stats {
namespace {

// Up to here every count of the exact distribution is a whole number that a double holds exactly.
constexpr std::size_t most_exact = 50;

/// Number of sets of ranks 1..n with each sum.
std::vector<double> sets_of_ranks(std::size_t n) {
  std::vector<double> count(n * (n + 1) / 2 + 1, 0.0);
  count[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t sum = count.size(); sum-- > rank;) count[sum] += count[sum - rank];
  return count;
}

struct Ranked {
  double positive = 0, ties = 0;  // ties: sum of t^3 - t
  std::size_t n = 0;
};

Ranked ranked(std::span<const double> differences) {
  std::vector<double> list;
  std::ranges::copy_if(differences, std::back_inserter(list), [](double d) { return d != 0; });
  std::ranges::sort(list, {}, [](double d) { return std::abs(d); });
  Ranked out{.n = list.size()};
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && std::abs(list[end]) == std::abs(list[i])) ++end;
    const auto t = static_cast<double>(end - i);
    const double rank = static_cast<double>(i + end + 1) / 2;  // mean of i + 1 .. end
    for (std::size_t k = i; k < end; ++k) out.positive += list[k] > 0 ? rank : 0;
    out.ties += t * t * t - t;
    i = end;
  }
  return out;
}

double exact_p(double w, std::size_t n) {
  const std::vector<double> count = sets_of_ranks(n);
  const double largest = static_cast<double>(n * (n + 1)) / 2;
  const auto smaller = static_cast<std::ptrdiff_t>(std::min(w, largest - w));
  const double below = std::accumulate(count.begin(), count.begin() + smaller + 1, 0.0);
  return std::min(1.0, 2 * below / std::exp2(static_cast<double>(n)));
}

double normal_p(const Ranked& held) {
  const auto n = static_cast<double>(held.n);
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - held.ties / 48;
  if (!(variance > 0)) return 1;
  const double z = std::max(0.0, std::abs(held.positive - n * (n + 1) / 4) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::numbers::sqrt2);
}

}  // namespace

SignedRank wilcoxon(std::span<const double> differences) {
  const Ranked held = ranked(differences);
  const bool exact = held.ties == 0 && held.n == differences.size() && held.n > 0 && held.n <= most_exact;
  return {held.positive, exact ? exact_p(held.positive, held.n) : normal_p(held), exact};
}

int signed_rank(std::size_t pairs) {
  if (pairs > most_exact) {
    const auto n = static_cast<double>(pairs);
    return static_cast<int>(
        std::floor(n * (n + 1) / 4 - 0.5 - z95 * std::sqrt(n * (n + 1) * (2 * n + 1) / 24)));
  }
  const std::vector<double> count = sets_of_ranks(pairs);
  const double limit = tail95 * std::exp2(static_cast<double>(pairs));
  double sum = count.front();
  int k = -1;
  while (sum <= limit) sum += count[static_cast<std::size_t>(++k) + 1];
  return k;
}

RatioEstimate paired_ratio(std::span<const double> log_differences) {
  if (log_differences.size() < fewest_pairs) throw std::domain_error("fewer than 6 pairs");
  std::vector<double> means;
  for (std::size_t i = 0; i < log_differences.size(); ++i)
    for (std::size_t k = i; k < log_differences.size(); ++k)
      means.push_back((log_differences[i] + log_differences[k]) / 2);
  std::ranges::sort(means);
  const auto k = static_cast<std::size_t>(signed_rank(log_differences.size()));
  return {std::exp(quantile(means, 0.5)), {std::exp(means[k]), std::exp(means[means.size() - 1 - k])}};
}

}  // namespace steelyard::stats
