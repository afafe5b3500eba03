// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/rank_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

namespace steelyard::history {
namespace {

constexpr std::size_t most_held = 8U << 20U;  // numbers of distributions that are kept

/// Ranks of all values, times two so that midranks are whole, and whether any are equal.
struct Ranks {
  std::vector<int> doubled;
  double tie_sum = 0;  // of t^3 - t
};

/// A number that looks like chance and is the same each time.
std::uint64_t scattered(std::uint64_t index) {
  std::uint64_t x = index + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

Ranks ranked_values(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool by_chance = n > most_tied;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (values[a] != values[b]) return values[a] < values[b];
    return by_chance && scattered(a) < scattered(b);
  });
  Ranks ranks{std::vector<int>(n), 0};
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (!by_chance && end < n && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks.doubled[order[k]] = static_cast<int>(i + end + 1);
    const auto t = static_cast<double>(end - i);
    ranks.tie_sum += t * t * t - t;
    i = end;
  }
  return ranks;
}

/// For each number of chosen ranks up to `most`, how many choices have each sum.
std::vector<std::vector<double>> choices(const std::vector<int>& ranks, std::size_t most) {
  std::vector<int> sorted = ranks;
  std::ranges::sort(sorted, std::greater());
  std::vector<std::vector<double>> counts(most + 1);
  std::size_t largest = 0;
  for (std::size_t k = 0; k <= most; ++k) {
    counts[k].assign(largest + 1, 0.0);
    if (k < sorted.size()) largest += static_cast<std::size_t>(sorted[k]);
  }
  counts[0][0] = 1;
  for (const int rank : ranks) {
    const auto step = static_cast<std::size_t>(rank);
    for (std::size_t k = most; k-- > 0;)
      for (std::size_t sum = 0; sum < counts[k].size(); ++sum)
        if (counts[k][sum] > 0) counts[k + 1][sum + step] += counts[k][sum];
  }
  return counts;
}

/// Twice the smaller tail, which holds the value itself; at most 1.
double two_tails(const std::vector<double>& counts, std::size_t value) {
  const auto at = counts.begin() + static_cast<std::ptrdiff_t>(value);
  const double below = std::accumulate(counts.begin(), at + 1, 0.0),
               above = std::accumulate(at, counts.end(), 0.0);
  const double all = below + above - *at;
  return std::min(1.0, 2 * std::min(below, above) / all);
}

double normal_tails(double u, double m, double n, double tie_sum) {
  const double both = m + n, variance = m * n / 12 * (both + 1 - tie_sum / (both * (both - 1)));
  if (!(variance > 0)) return 1;
  return two_sided_of(std::max(0.0, std::abs(u - m * n / 2) - 0.5) / std::sqrt(variance));
}

}  // namespace

double two_sided_of(double z) {
  return std::min(1.0, std::erfc(std::abs(z) / std::numbers::sqrt2));
}

double z_of(double two_sided) {
  double low = 0, high = 40;
  for (int i = 0; i < 70; ++i) {
    const double middle = (low + high) / 2;
    (two_sided_of(middle) > two_sided ? low : high) = middle;
  }
  return low;
}

double RankSums::least(std::size_t left, std::size_t right) {
  double p = 2;
  for (std::size_t i = 1; i <= right; ++i) p *= static_cast<double>(i) / static_cast<double>(left + i);
  return std::min(1.0, p);
}

/// Coefficients of the Gaussian binomial, the product over i <= m of (1 - q^(n+i)) / (1 - q^i); of its lower half.
const std::vector<double>& RankSums::lower_tail(std::size_t small, std::size_t large) {
  const std::uint64_t key = std::uint64_t{small} << 32U | large;
  if (const auto found = tails_.find(key); found != tails_.end()) return found->second;
  const std::size_t half = small * large / 2;
  std::vector<double> count(half + 1, 0.0);
  count[0] = 1;
  double all = 1;
  for (std::size_t i = 1; i <= small; ++i) {
    for (std::size_t u = count.size(); u-- > large + i;) count[u] -= count[u - large - i];
    for (std::size_t u = i; u < count.size(); ++u) count[u] += count[u - i];
    all *= static_cast<double>(large + i) / static_cast<double>(i);
  }
  double sum = 0;
  for (double& one : count) one = (sum += one) / all;
  if (held_ > most_held) {
    tails_.clear();
    held_ = 0;
  }
  held_ += count.size();
  return tails_[key] = std::move(count);
}

std::vector<double> RankSums::cuts(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 * least_side) return {};
  const Ranks ranks = ranked_values(values);
  const bool tied = ranks.tie_sum > 0;
  const std::size_t most = std::min(n / 2, most_exact_side);
  const auto counts = tied ? choices(ranks.doubled, most) : std::vector<std::vector<double>>();
  const std::size_t all = n * (n + 1);  // of the doubled ranks
  std::vector<double> found;
  std::size_t left = 0;
  for (std::size_t c = 1; c + least_side <= n; ++c) {
    left += static_cast<std::size_t>(ranks.doubled[c - 1]);
    if (c < least_side) continue;
    const std::size_t small = std::min(c, n - c);
    if (small > most_exact_side) {
      const double u = static_cast<double>(left) / 2 - static_cast<double>(c * (c + 1)) / 2;
      found.push_back(normal_tails(u, static_cast<double>(c), static_cast<double>(n - c), ranks.tie_sum));
      continue;
    }
    const std::size_t sum = c <= n - c ? left : all - left;
    if (tied) {
      found.push_back(two_tails(counts[small], sum));
      continue;
    }
    const std::size_t u = sum / 2 - small * (small + 1) / 2, other = small * (n - small) - u;
    found.push_back(std::min(1.0, 2 * lower_tail(small, n - small)[std::min(u, other)]));
  }
  return found;
}

}  // namespace steelyard::history
