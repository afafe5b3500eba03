// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/rank_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "stats/splitmix.hpp"

namespace steelyard::history {
namespace {

constexpr std::size_t most_held = 8U << 20U;  // numbers of distributions that are kept

/// Up to so many values are ranked by counting: the windows of a search are most of what is ranked, and shorter.
constexpr std::size_t most_counted = 40;
static_assert(most_counted <= most_tied);

/// Ranks of all values, times two so that midranks are whole, and whether any are equal.
struct Ranks {
  std::vector<int> doubled;
  double tie_sum = 0;  // of t^3 - t
};

/// Ranks found without sorting: quicker where there are few values.
Ranks counted_ranks(std::span<const double> values) {
  Ranks ranks;
  ranks.doubled.reserve(values.size());
  for (const double value : values) {
    int less = 0, equal = 0;
    for (const double other : values) {
      less += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    ranks.doubled.push_back(2 * less + equal + 1);
    ranks.tie_sum += static_cast<double>(equal) * equal - 1;  // t of these make t^3 - t
  }
  return ranks;
}

Ranks ranked_values(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n <= most_counted) return counted_ranks(values);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool by_chance = n > most_tied;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (values[a] != values[b]) return values[a] < values[b];
    return by_chance && stats::splitmix(a) < stats::splitmix(b);
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

/// Number of choices with each sum, for each number of chosen ranks up to `most`. One rank more at a time,
/// from the lowest: then k of the first r have sums between those of the k lowest and of the k highest.
std::vector<std::vector<double>> choices(std::vector<int> ranks, std::size_t most) {
  std::ranges::sort(ranks);
  std::vector<std::size_t> lowest(ranks.size() + 1);  // sums of so many
  for (std::size_t r = 0; r < ranks.size(); ++r)
    lowest[r + 1] = lowest[r] + static_cast<std::size_t>(ranks[r]);
  const auto highest = [&](std::size_t k, std::size_t r) { return lowest[r] - lowest[r - k]; };
  std::vector<std::vector<double>> counts;
  for (std::size_t k = 0; k <= most; ++k) counts.emplace_back(highest(k, ranks.size()) + 1, 0.0);
  counts[0][0] = 1;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (std::size_t k = std::min(most, r + 1); k-- > 0;) {
      const double* const from = counts[k].data();
      double* const to = counts[k + 1].data() + ranks[r];
      const std::size_t end = highest(k, r) + 1;
      for (std::size_t sum = lowest[k]; sum < end; ++sum) to[sum] += from[sum];
    }
  return counts;
}

/// Twice the smaller tail, which includes the value itself; at most 1.
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

/// Probabilities that U is at most each value in the lower half of its range: coefficients of the Gaussian
/// binomial, the product over i <= m of (1 - q^(n+i)) / (1 - q^i), summed up over their number.
std::vector<double> lower_tail(std::size_t small, std::size_t large) {
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
  return count;
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

/// Distributions for the length of both sides; forgets all when they have become too many.
RankSums::Tails& RankSums::tails_of(std::size_t both) {
  if (held_ > most_held) {
    tails_.clear();
    held_ = 0;
  }
  return tails_[both];
}

const std::vector<double>& RankSums::tail(Tails& tails, std::size_t small, std::size_t large) {
  if (small >= tails.size()) tails.resize(small + 1);
  if (tails[small].empty()) {
    tails[small] = lower_tail(small, large);
    held_ += tails[small].size();
  }
  return tails[small];
}

std::vector<double> RankSums::cuts(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 * least_side) return {};
  const Ranks ranks = ranked_values(values);
  const bool tied = ranks.tie_sum > 0;
  const std::size_t most = std::min(n / 2, most_exact_side);
  const auto counts = tied ? choices(ranks.doubled, most) : std::vector<std::vector<double>>();
  const std::size_t all = n * (n + 1);  // of the doubled ranks
  Tails& tails = tails_of(n);
  std::vector<double> found;
  found.reserve(n);
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
    found.push_back(std::min(1.0, 2 * tail(tails, small, n - small)[std::min(u, other)]));
  }
  return found;
}

std::vector<double> RankSums::rough_cuts(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 * least_side) return {};
  const Ranks ranks = ranked_values(values);
  std::vector<double> found;
  found.reserve(n);
  double left = 0;
  for (std::size_t c = 1; c + least_side <= n; ++c) {
    left += ranks.doubled[c - 1] / 2.0;
    const auto m = static_cast<double>(c);
    if (c >= least_side)
      found.push_back(normal_tails(left - m * (m + 1) / 2, m, static_cast<double>(n - c), ranks.tie_sum));
  }
  return found;
}

}  // namespace steelyard::history
