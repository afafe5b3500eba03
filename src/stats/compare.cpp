// SPDX-License-Identifier: Apache-2.0
#include "stats/compare.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

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

// Up to here every count of the exact distribution is a whole number that a double holds exactly.
constexpr std::size_t largest_exact_product = 400;

/// Pairs with b > a, ties counted by half.
double pairs_above(std::span<const double> a, std::span<const double> b) {
  double u = 0;
  for (const double x : a) {
    for (const double y : b) u += y > x ? 1 : y == x ? 0.5 : 0;
  }
  return u;
}

/// Number of arrangements of m and n values for each U = 0..mn: coefficients of the Gaussian binomial
/// (m + n choose m), built as the product over i <= m of (1 - q^(n+i)) / (1 - q^i).
std::vector<double> arrangements(std::size_t m, std::size_t n) {
  std::vector<double> count(m * n + 1, 0.0);
  count[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = count.size(); u-- > n + i;) count[u] -= count[u - n - i];
    for (std::size_t u = i; u < count.size(); ++u) count[u] += count[u - i];
  }
  return count;
}

double exact_p(double u, std::size_t m, std::size_t n) {
  const std::vector<double> count = arrangements(m, n);
  const double all = std::accumulate(count.begin(), count.end(), 0.0);
  const auto smaller = static_cast<std::ptrdiff_t>(std::min(u, static_cast<double>(m * n) - u));
  const double below = std::accumulate(count.begin(), count.begin() + smaller + 1, 0.0);
  return std::min(1.0, 2 * below / all);
}

/// Sum of t^3 - t over the groups of equal values of both sides.
double tie_sum(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::upper_bound(first, all.end(), *first);
    const auto t = static_cast<double>(last - first);
    sum += t * t * t - t;
    first = last;
  }
  return sum;
}

double normal_p(double u, double m, double n, double ties) {
  const double both = m + n;
  const double variance = m * n / 12 * (both + 1 - ties / (both * (both - 1)));
  if (!(variance > 0)) return 1;
  const double z = std::max(0.0, std::abs(u - m * n / 2) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::numbers::sqrt2);
}

std::vector<double> log_differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences;
  for (const double x : a) {
    for (const double y : b) differences.push_back(std::log(y) - std::log(x));
  }
  std::sort(differences.begin(), differences.end());
  return differences;
}

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

// With a whole number of degrees of freedom the distribution is a finite sum over tan(angle) = t / sqrt(nu).
double student_two_sided(double t, std::size_t freedom) {
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(freedom)));
  const double s = std::sin(angle), c = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  const double inside = odd ? 2 / std::numbers::pi * (angle + s * sum(c, 2, 3, c * c, freedom / 2))
                            : s * sum(1, 1, 2, c * c, freedom / 2);
  return std::clamp(1 - inside, 0.0, 1.0);
}

double student(std::size_t freedom, double level) {
  const auto beyond = [&](double t) { return student_two_sided(t, freedom) > 1 - level; };
  double low = 0, high = 1;
  while (beyond(high)) low = high, high *= 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (beyond(middle) ? low : high) = middle;
  }
  return high;
}

double student95(std::size_t freedom) {
  return student(freedom, 1 - 2 * tail95);
}

MannWhitney mann_whitney(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  MannWhitney result{.u = pairs_above(a, b)};
  const double ties = tie_sum(a, b);
  result.exact = ties == 0 && a.size() * b.size() <= largest_exact_product;
  result.p = result.exact
                 ? exact_p(result.u, a.size(), b.size())
                 : normal_p(result.u, static_cast<double>(a.size()), static_cast<double>(b.size()), ties);
  return result;
}

int hodges_lehmann_rank(std::size_t a, std::size_t b, double level) {
  if (a * b > largest_exact_product) {
    const auto m = static_cast<double>(a), n = static_cast<double>(b);
    const double z = normal_quantile(level);
    return static_cast<int>(std::floor(m * n / 2 - 0.5 - z * std::sqrt(m * n * (m + n + 1) / 12)));
  }
  const std::vector<double> count = arrangements(a, b);
  const double limit = (1 - level) / 2 * std::accumulate(count.begin(), count.end(), 0.0);
  double sum = count.front();
  int k = -1;
  while (sum <= limit) sum += count[static_cast<std::size_t>(++k) + 1];
  return k;
}

RatioEstimate hodges_lehmann_ratio(std::span<const double> a, std::span<const double> b, double level) {
  if (a.size() < 5 || b.size() < 5) throw std::domain_error("fewer than 5 launches on a side");
  const int rank = hodges_lehmann_rank(a.size(), b.size(), level);
  if (rank < 0) throw std::domain_error("too few launches for the level");
  const std::vector<double> differences = log_differences(a, b);
  const auto k = static_cast<std::size_t>(rank);
  return {std::exp(quantile(differences, 0.5)),
          {std::exp(differences[k]), std::exp(differences[differences.size() - 1 - k])}};
}

double cliffs_delta(std::span<const double> a, std::span<const double> b) {
  return 2 * pairs_above(a, b) / static_cast<double>(a.size() * b.size()) - 1;
}

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

std::vector<bool> benjamini_hochberg(std::span<const double> p, double alpha) {
  // p = alpha i / N counts as significant; a last bit of the product must not decide.
  constexpr double rounding = 1 + 1e-12;
  std::vector<double> sorted(p.begin(), p.end());
  std::sort(sorted.begin(), sorted.end());
  std::size_t passed = 0;
  for (std::size_t i = 1; i <= sorted.size(); ++i) {
    const double limit = alpha * static_cast<double>(i) / static_cast<double>(sorted.size());
    if (sorted[i - 1] <= limit * rounding) passed = i;
  }
  std::vector<bool> significant(p.size(), false);
  if (passed == 0) return significant;
  std::transform(p.begin(), p.end(), significant.begin(),
                 [&](double value) { return value <= sorted[passed - 1]; });
  return significant;
}

}  // namespace steelyard::stats
