// SPDX-License-Identifier: Apache-2.0
#include "stats/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

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

/// Makes the median absolute deviation of normal values their standard deviation.
constexpr double normal_of_median = 1.4826;
/// Correction of small samples: of few values the deviation comes out too small.
constexpr double small_sample = 2.33;
constexpr double alarms_without_cause = 0.01;
constexpr double many = 0.2, group_share = 0.1;
constexpr std::size_t fewest_of_group = fewest_alike;  // it is judged by itself

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// How far from its middle a value of a group may be.
double limit_of(const Usual& usual, double tolerance, double quantile) {
  return std::max(std::log1p(tolerance), quantile * usual.spread);
}

std::size_t standing_out(std::span<const double> logs, const Usual& usual, double limit) {
  return static_cast<std::size_t>(
      std::ranges::count_if(logs, [&](double log) { return std::abs(log - usual.middle) > limit; }));
}

/// Least number of so many values that are a group.
std::size_t smallest_group(std::size_t n) {
  return std::max(fewest_of_group, static_cast<std::size_t>(std::ceil(group_share * static_cast<double>(n))));
}

/// Number of the ordered values on the worse side of the cut that separates two sides best, the one with the
/// largest variance between them; 0 if there are too few for two groups.
std::size_t best_cut(std::span<const double> ordered) {
  const std::size_t n = ordered.size();
  const std::size_t least = smallest_group(n);
  const double all = std::accumulate(ordered.begin(), ordered.end(), 0.0);
  double below = 0, best = -1;
  std::size_t cut = 0;
  for (std::size_t k = 1; k + least <= n; ++k) {
    below += ordered[k - 1];
    if (k < least) continue;
    const auto worse = static_cast<double>(k), better = static_cast<double>(n - k);
    const double apart = (all - below) / better - below / worse;
    if (const double between = worse * better * apart * apart; between > best) {
      best = between;
      cut = k;
    }
  }
  return cut;
}

/// Spread of the residuals of a fit through medians, which makes some of them zero, as many as it has parameters.
double residual_spread(std::span<const double> residuals, std::size_t parameters) {
  if (residuals.size() <= parameters) return 0;
  std::vector<double> sizes;
  for (const double residual : residuals) sizes.push_back(std::abs(residual));
  std::ranges::sort(sizes);
  const std::vector<double> free(sizes.begin() + static_cast<std::ptrdiff_t>(parameters), sizes.end());
  const double factor = 1 + small_sample / std::sqrt(static_cast<double>(free.size()));
  return normal_of_median * median(free) * factor;
}

/// Spread of both sides about their own middles.
double spread_within(std::span<const double> worse, std::span<const double> better) {
  std::vector<double> residuals;
  for (const auto& side : {worse, better})
    for (const double log : side) residuals.push_back(log - usual(side).middle);
  return residual_spread(residuals, 2);
}

/// Standings of values of which it is known whether they are of the lower of two groups; none is: of one group.
Standings standings_within(std::span<const double> logs, const std::vector<bool>& low, double tolerance,
                           double quantile) {
  std::array<std::vector<double>, 2> of_group;
  for (std::size_t k = 0; k < logs.size(); ++k) of_group[low[k] ? 1 : 0].push_back(logs[k]);
  Standings all;
  for (const auto& values : of_group)
    if (!values.empty()) all.groups.push_back(usual(values));
  for (std::size_t k = 0; k < logs.size(); ++k) {
    const int group = low[k] ? 1 : 0;
    const auto place = static_cast<std::size_t>(group);
    all.of.push_back({group, logs[k] - all.groups[place].middle,
                      limit_of(all.groups[place], tolerance, quantile),
                      of_group[place].size() >= fewest_alike});
  }
  return all;
}

/// Whether each link is better than others of its class, where it is of two groups or stands out.
std::vector<bool> better_links(std::span<const Between> values, double tolerance) {
  std::map<std::size_t, std::vector<std::size_t>> of_kind;
  for (std::size_t k = 0; k < values.size(); ++k) of_kind[values[k].kind].push_back(k);
  std::vector<bool> better(values.size());
  for (const auto& [kind, which] : of_kind) {
    std::vector<double> logs;
    for (const std::size_t k : which) logs.push_back(values[k].log);
    const auto found = standings(logs, tolerance, 1);
    for (std::size_t i = 0; i < which.size(); ++i)
      better[which[i]] = found.two_groups() ? found.of[i].group == 0 : found.of[i].better();
  }
  return better;
}

/// Ends most of whose links to one another are better: those of which this is not so leave, until all stay.
std::vector<bool> ends_of_better_links(std::span<const Between> values, const std::vector<bool>& better,
                                       std::size_t ends) {
  std::vector<bool> stay(ends);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (better[k]) stay[values[k].a] = stay[values[k].b] = true;
  for (bool all = false; !all;) {
    std::vector<std::ptrdiff_t> surplus(ends);  // of better links among those that stay
    for (std::size_t k = 0; k < values.size(); ++k)
      if (stay[values[k].a] && stay[values[k].b])
        for (const std::size_t end : {values[k].a, values[k].b}) surplus[end] += better[k] ? 1 : -1;
    all = true;
    for (std::size_t end = 0; end < ends; ++end)
      if (stay[end] && surplus[end] <= 0) all = stay[end] = false;
  }
  return stay;
}

/// Ends that have a value.
std::vector<std::size_t> linked_ends(std::span<const Between> values, std::size_t ends) {
  std::vector<bool> has(ends);
  for (const Between& value : values) has[value.a] = has[value.b] = true;
  std::vector<std::size_t> linked;
  for (std::size_t end = 0; end < ends; ++end)
    if (has[end]) linked.push_back(end);
  return linked;
}

/// Values that each end has a pair in, for one sweep.
std::vector<std::vector<std::size_t>> pairs_of_ends(std::span<const Between> values, std::size_t ends) {
  std::vector<std::vector<std::size_t>> pairs(ends);
  for (std::size_t k = 0; k < values.size(); ++k) {
    pairs[values[k].a].push_back(k);
    pairs[values[k].b].push_back(k);
  }
  return pairs;
}

/// Standard error of each end's effect: that of a median over its links, whose residuals scatter so much.
std::vector<double> errors_of_effects(std::span<const Between> values, std::size_t ends, double spread) {
  constexpr double of_median = 1.2533;  // standard error of a median over that of a mean
  std::vector<double> errors;
  for (const auto& links : pairs_of_ends(values, ends))
    errors.push_back(of_median * spread /
                     std::sqrt(static_cast<double>(std::max<std::size_t>(links.size(), 1))));
  return errors;
}

/// Standings by the effects of their links. Ends without a value stand at 0 and are not judged.
Standings standings_of_ends(const LinkStandings& all, const std::vector<std::size_t>& linked,
                            double tolerance, int tests) {
  const std::size_t ends = all.fit.effects.size();
  std::vector<double> effects;
  std::vector<bool> worse;
  for (const std::size_t end : linked) {
    effects.push_back(all.fit.effects[end]);
    worse.push_back(!all.better.empty() && !all.better[end]);
  }
  auto found = all.better.empty() ? standings(effects, tolerance, tests, ends)
                                  : standings_within(effects, worse, tolerance,
                                                     alarm_quantile(static_cast<double>(ends) * tests));
  std::vector<Standing> of(ends);
  for (std::size_t k = 0; k < linked.size(); ++k) of[linked[k]] = found.of[k];
  found.of = std::move(of);
  return found;
}

double shift(std::vector<double>& residuals, const std::vector<std::size_t>& which) {
  if (which.empty()) return 0;
  std::vector<double> some;
  some.reserve(which.size());
  for (const std::size_t k : which) some.push_back(residuals[k]);
  const double middle = median_of(some);
  for (const std::size_t k : which) residuals[k] -= middle;
  return middle;
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

double alarm_quantile(double looks) {
  return normal_quantile(1 - 2 * alarms_without_cause / std::max(looks, 1.0));
}

Usual usual(std::span<const double> logs) {
  std::vector<double> values(logs.begin(), logs.end());
  const double middle = median_of(values);
  for (double& value : values) value = std::abs(value - middle);
  const double factor = 1 + small_sample / std::sqrt(static_cast<double>(logs.size()));
  return {middle, normal_of_median * median_of(values) * factor};
}

Standings standings(std::span<const double> logs, double tolerance, int tests, std::size_t of_all_kinds) {
  if (logs.empty()) return {};
  const double quantile = alarm_quantile(static_cast<double>(std::max(logs.size(), of_all_kinds)) * tests);
  std::vector<double> ordered(logs.begin(), logs.end());
  std::ranges::sort(ordered);
  std::size_t cut = best_cut(ordered);
  if (cut > 0) {
    const auto worse = std::span(ordered).first(cut), better = std::span(ordered).subspan(cut);
    const Usual one = usual(ordered);
    const auto out = standing_out(logs, one, limit_of(one, tolerance, quantile));
    const bool crowd =
        out >= fewest_of_group && static_cast<double>(out) > many * static_cast<double>(logs.size());
    const Usual low = usual(worse), high = usual(better);
    const double apart = high.middle - low.middle;
    // A cut that is where it is only because a side needs so many values runs through a group.
    const double between = (low.middle + high.middle) / 2;
    const bool parts = ordered[cut - 1] < between && between < ordered[cut];
    const bool two =
        parts && apart > std::log1p(tolerance) && (crowd || apart > quantile * spread_within(worse, better));
    if (!two) cut = 0;
  }
  std::vector<bool> low;
  for (const double log : logs) low.push_back(cut > 0 && log < ordered[cut]);
  return standings_within(logs, low, tolerance, quantile);
}

Polished median_polish(std::span<const Between> values, std::size_t ends) {
  constexpr int most_sweeps = 10;
  constexpr double settled = 1e-7;
  std::size_t kinds = 1;
  for (const Between& value : values) kinds = std::max(kinds, value.kind + 1);
  Polished fit{std::vector<double>(kinds), std::vector<double>(ends), {}};
  std::vector<std::vector<std::size_t>> of_kind(kinds);
  for (std::size_t k = 0; k < values.size(); ++k) {
    fit.residuals.push_back(values[k].log);
    of_kind[values[k].kind].push_back(k);
  }
  const auto of_end = pairs_of_ends(values, ends);
  double largest = 1;
  for (int sweep = 0; sweep < most_sweeps && largest > settled; ++sweep) {
    largest = 0;
    const auto move = [&](double& part, const std::vector<std::size_t>& which) {
      const double step = shift(fit.residuals, which);
      part += step;
      largest = std::max(largest, std::abs(step));
    };
    for (std::size_t kind = 0; kind < kinds; ++kind) move(fit.levels[kind], of_kind[kind]);
    for (std::size_t end = 0; end < ends; ++end) move(fit.effects[end], of_end[end]);
  }
  std::vector<double> effects;
  for (std::size_t end = 0; end < ends; ++end)
    if (!of_end[end].empty()) effects.push_back(fit.effects[end]);
  if (effects.empty()) return fit;
  const double middle = median_of(effects);
  for (std::size_t end = 0; end < ends; ++end)
    if (!of_end[end].empty()) fit.effects[end] -= middle;
  for (double& level : fit.levels) level += 2 * middle;
  return fit;
}

std::vector<bool> better_among_themselves(std::span<const Between> values, std::size_t ends,
                                          double tolerance) {
  const auto better = better_links(values, tolerance);
  const auto found = ends_of_better_links(values, better, ends);
  std::size_t inside = 0, exceptions = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool within = found[values[k].a] && found[values[k].b];
    if (within && better[k]) ++inside;
    if (within != better[k]) ++exceptions;
  }
  constexpr std::size_t per_exception = 20;
  const auto size = static_cast<std::size_t>(std::ranges::count(found, true));
  const std::size_t linked = linked_ends(values, ends).size(), least = smallest_group(linked);
  const bool two = size >= least && size + least <= linked &&
                   exceptions <= std::max<std::size_t>(1, inside / per_exception);
  return two ? found : std::vector<bool>{};
}

std::size_t LinkStandings::place(const Between& link) const {
  if (better.empty()) return link.kind;
  const std::size_t of_better = (better[link.a] ? 1U : 0U) + (better[link.b] ? 1U : 0U);
  return of_better * kinds + link.kind;
}

std::optional<double> LinkStandings::level(const Between& link) const {
  const std::size_t at = place(link);
  if (link.kind >= kinds || at >= counts.size() || counts[at] == 0) return std::nullopt;
  return fit.levels[at];
}

LinkStandings link_standings(std::span<const Between> values, std::size_t ends, double tolerance, int tests) {
  LinkStandings all;
  for (const Between& value : values) all.kinds = std::max(all.kinds, value.kind + 1);
  all.better = better_among_themselves(values, ends, tolerance);
  std::vector<Between> apart(values.begin(), values.end());
  for (Between& value : apart) value.kind = all.place(value);
  all.fit = median_polish(apart, ends);
  all.counts.resize(all.fit.levels.size());
  for (const Between& value : apart) ++all.counts[value.kind];
  const auto linked = linked_ends(values, ends);
  const auto levels = all.counts.size() - static_cast<std::size_t>(std::ranges::count(all.counts, 0U));
  const std::size_t parameters = linked.size() + std::max<std::size_t>(levels, 1) - 1;
  const bool judged = linked.size() >= fewest_alike && values.size() > parameters;
  const Usual left{0, residual_spread(all.fit.residuals, parameters)};
  const double limit = limit_of(left, tolerance, alarm_quantile(static_cast<double>(values.size())));
  for (const double residual : all.fit.residuals) all.links.push_back({0, residual, limit, judged});
  all.ends = standings_of_ends(all, linked, tolerance, tests);
  const auto errors = errors_of_effects(values, ends, left.spread);
  const double quantile_of_ends = alarm_quantile(static_cast<double>(ends) * tests);
  for (const std::size_t end : linked)
    all.ends.of[end].limit = std::max(all.ends.of[end].limit, quantile_of_ends * errors[end]);
  return all;
}

}  // namespace steelyard::stats
