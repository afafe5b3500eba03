// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "record/clipped.hpp"
#include "stats/compare.hpp"
#include "stats/order.hpp"

namespace steelyard::comparison {
namespace {

constexpr double z80 = 0.84;
constexpr std::size_t enough_for_ranks = 5;

std::vector<double> medians(std::span<const Value> launches) {
  std::vector<double> list;
  for (const Value& value : launches) list.push_back(value.median);
  return list;
}

std::vector<double> logs(std::span<const Value> launches) {
  std::vector<double> list;
  for (const Value& value : launches) list.push_back(std::log(value.median));
  return list;
}

stats::Moments moments(std::span<const double> values) {
  stats::Moments all;
  for (const double x : values) all.add(x);
  return all;
}

/// Standard error of ln by the half-width of the interval.
std::optional<double> standard_error(const Value& value) {
  if (!value.interval || !(value.interval->low > 0)) return std::nullopt;
  return std::log(value.interval->high / value.interval->low) / 2 / stats::z95;
}

/// Variance of the mean of ln of a side: never less than what the other points or the least spread say.
std::optional<double> variance(std::span<const Value> launches, double between) {
  if (launches.size() > 1) {
    const double sd = moments(logs(launches)).sd();
    return std::max(sd * sd, between) / static_cast<double>(launches.size());
  }
  const auto error = standard_error(launches.front());
  return error ? std::optional(*error * *error + between) : std::nullopt;
}

/// Whether launches are too few to show by themselves how they differ.
bool are_few(std::size_t base, std::size_t now, Launches launches) {
  return std::min(base, now) < (launches == Launches::paired ? stats::fewest_pairs : enough_for_ranks);
}

double two_sided(double z) {
  return std::erfc(z / std::numbers::sqrt2);
}

stats::Interval around(double centre, double half) {
  return {std::exp(centre - half), std::exp(centre + half)};
}

/// Estimates from few launches. Their spread is tested only if the user knows it: by chance two or
/// three launches agree.
void estimate_by_spread(Point& point, const Values& values, const Spread& spread, bool known) {
  const auto a = variance(values.base, spread.base), b = variance(values.now, spread.now);
  if (!a || !b) return;
  const bool single = values.base.size() == 1 || values.now.size() == 1;
  const double s = std::sqrt(*a + *b), centre = std::log(*point.ratio);
  const double z =
      single || known ? stats::z95 : stats::student95(values.base.size() + values.now.size() - 2);
  point.interval = around(centre, z * s);
  point.test = single ? Test::single_launch : Test::launches;
  if (known) point.p = two_sided(std::abs(centre) / s);
}

/// Least p that two sides can have: they do not overlap.
double least_of_sides(std::size_t base, std::size_t now) {
  double least = 2;
  for (std::size_t i = 1; i <= now; ++i) least *= static_cast<double>(i) / static_cast<double>(base + i);
  return least;
}

/// Least p that pairs can have: all differ the same way.
double least_of_pairs(std::size_t pairs) {
  return 2 * std::pow(0.5, static_cast<double>(pairs));
}

/// p by ranks. Equal values of one side are no obstacle if the sides do not overlap.
double rank_probability(const std::vector<double>& a, const std::vector<double>& b) {
  const auto [low_a, high_a] = std::ranges::minmax(a);
  const auto [low_b, high_b] = std::ranges::minmax(b);
  const bool apart = high_a < low_b || high_b < low_a;
  return apart ? least_of_sides(a.size(), b.size()) : stats::mann_whitney(a, b).p;
}

double rank_probability(const std::vector<double>& differences) {
  const auto [low, high] = std::ranges::minmax(differences);
  return low > 0 || high < 0 ? least_of_pairs(differences.size()) : stats::wilcoxon(differences).p;
}

/// p on which ranks and Student's t agree. Ranks know nothing of how values are distributed, but five
/// launches a side cannot tell one point among many; Student's t can, and is believed only if ranks agree.
double agreed(double by_ranks, double by_t, std::size_t points, double alpha) {
  return points == 1 || by_ranks > alpha ? by_ranks : by_t;
}

void estimate_by_ranks(Point& point, const Values& values, const Spread& spread, std::size_t points,
                       const Options& options) {
  const auto a = medians(values.base), b = medians(values.now);
  const auto estimated = stats::hodges_lehmann_ratio(a, b);
  point.ratio = estimated.ratio;
  point.interval = estimated.interval;
  point.cliffs_delta = stats::cliffs_delta(a, b);
  point.test = Test::rank;
  const double s = std::sqrt(*variance(values.base, spread.base) + *variance(values.now, spread.now));
  const double difference = moments(logs(values.now)).mean() - moments(logs(values.base)).mean();
  if (options.launch_sd) point.p = two_sided(std::abs(difference) / s);
  if (!ranks_can_decide(a.size(), b.size(), options)) return;
  const double by_t = stats::student_two_sided(difference / s, a.size() + b.size() - 2);
  point.p = agreed(rank_probability(a, b), by_t, points, options.alpha);
}

/// Variance of the difference of a pair: never less than what the other points or the least spread say.
double pair_variance(const stats::Moments& of_pairs, const Spread& spread) {
  return std::max(of_pairs.sd() * of_pairs.sd(), spread.pair);
}

void estimate_by_pairs(Point& point, const Values& values, const Spread& spread, std::size_t points,
                       const Options& options) {
  const auto differences = pair_logs(values);
  const auto of_pairs = moments(differences);
  const std::size_t n = differences.size();
  const double s = std::sqrt(pair_variance(of_pairs, spread) / static_cast<double>(n)),
               centre = stats::median(differences);
  const bool known = options.launch_sd.has_value();
  point.ratio = std::exp(centre);
  point.interval = around(centre, (known ? stats::z95 : stats::student95(n - 1)) * s);
  point.test = Test::pairs;
  if (known) point.p = two_sided(std::abs(centre) / s);
  if (n < stats::fewest_pairs) return;
  const auto estimated = stats::paired_ratio(differences);
  point.ratio = estimated.ratio;
  point.interval = estimated.interval;
  if (ranks_can_decide(n, n, options))
    point.p = agreed(rank_probability(differences), stats::student_two_sided(of_pairs.mean() / s, n - 1),
                     points, options.alpha);
}

}  // namespace

bool ranks_can_decide(std::size_t base, std::size_t now, const Options& options) {
  if (are_few(base, now, options.launches)) return false;
  return (options.launches == Launches::paired ? least_of_pairs(base) : least_of_sides(base, now)) <=
         options.alpha;
}

std::vector<double> pair_logs(const Values& values) {
  std::vector<double> list;
  for (std::size_t i = 0; i < std::min(values.base.size(), values.now.size()); ++i)
    list.push_back(std::log(values.now[i].median / values.base[i].median));
  return list;
}

void Pool::add(std::span<const Value> launches) {
  if (launches.size() > 1) add_logs(logs(launches));
}

void Pool::add_logs(std::span<const double> all) {
  if (all.size() < 2) return;
  double centre = 0;
  for (const double x : all) centre += x / static_cast<double>(all.size());
  for (const double x : all) squares_ += (x - centre) * (x - centre);
  freedom_ += all.size() - 1;
}

std::optional<double> Pool::variance() const {
  return freedom_ == 0 ? std::nullopt : std::optional(squares_ / static_cast<double>(freedom_));
}

void estimate(Point& point, const Values& values, const Spread& spread, std::size_t points,
              const Options& options) {
  point.ratio = std::exp(stats::median(logs(values.now)) - stats::median(logs(values.base)));
  const bool ranks = std::min(values.base.size(), values.now.size()) >= enough_for_ranks;
  const bool alone = std::min(values.base.size(), values.now.size()) == 1;
  if (options.figures && alone)
    point.test = Test::threshold_only;
  else if (options.launches == Launches::paired && values.base.size() > 1)
    estimate_by_pairs(point, values, spread, points, options);
  else if (ranks)
    estimate_by_ranks(point, values, spread, points, options);
  else
    estimate_by_spread(point, values, spread, options.launch_sd.has_value());
  if (options.bootstrap == 0 || !point.interval) return;
  const auto drawn = resampled(values, options);
  point.interval = are_few(values.base.size(), values.now.size(), options.launches)
                       ? stats::Interval{std::min(drawn.low, point.interval->low),
                                         std::max(drawn.high, point.interval->high)}
                       : drawn;
}

namespace {

constexpr std::size_t most_launches = 1000;

/// Fewest launches a side, or pairs, that ranks can tell apart.
std::size_t least_launches(const Options& options) {
  std::size_t least = 1;
  while (least < most_launches && !ranks_can_decide(least, least, options)) ++least;
  return least;
}

}  // namespace

int launches_needed(const Spread& spread, const Options& options) {
  const bool paired = options.launches == Launches::paired;
  const double power = stats::z95 + z80, effect = std::log(1 + options.threshold);
  const double variance = paired ? spread.pair : 2 * std::max(spread.base, spread.now);
  return std::max(static_cast<int>(least_launches(options)),
                  record::clipped<int>(std::ceil(power * power * variance / (effect * effect))));
}

int launches_to_prove(const Point& point, const Values& values, const Spread& spread, double alpha,
                      const Options& options) {
  const bool paired = options.launches == Launches::paired;
  const auto of_one = [](std::span<const Value> side, double between) {
    return *variance(side, between) * static_cast<double>(side.size());
  };
  const double of_difference = paired && values.base.size() > 1
                                   ? pair_variance(moments(pair_logs(values)), spread)
                                   : of_one(values.base, spread.base) + of_one(values.now, spread.now);
  const double effect =
      std::min(std::abs(std::log(point.interval->low)), std::abs(std::log(point.interval->high)));
  std::size_t n = std::max(std::min(values.base.size(), values.now.size()) + 1, least_launches(options));
  for (; n < most_launches; ++n) {
    const double t = effect * std::sqrt(static_cast<double>(n) / of_difference) - z80;
    const std::size_t freedom = paired ? n - 1 : 2 * n - 2;
    if (t > 0 && (options.launch_sd ? two_sided(t) : stats::student_two_sided(t, freedom)) <= alpha) break;
  }
  return static_cast<int>(n);
}

namespace {

constexpr int mean_samples = 1000;
constexpr std::uint64_t seed = 1;  // equal inputs give equal intervals

/// Random choice with replacement.
class Dice {
 public:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  std::vector<std::size_t> choice(std::size_t n) {
    std::vector<std::size_t> list(n);
    for (std::size_t& one : list) one = below(n);
    return list;
  }

 private:
  std::mt19937_64 engine_{seed};
};

double redrawn(const Value& launch, Dice& dice) {
  if (launch.visits.empty()) return launch.median;
  std::vector<double> visits;
  for (const std::size_t i : dice.choice(launch.visits.size())) visits.push_back(launch.visits[i]);
  return stats::median(visits);
}

double redrawn_median(std::span<const Value> launches, Dice& dice) {
  std::vector<double> medians;
  for (const std::size_t i : dice.choice(launches.size())) medians.push_back(redrawn(launches[i], dice));
  return stats::median(medians);
}

/// Logarithms of a point's values of each side, or of the ratios of its pairs in `base`; taken once for all samples.
struct Logs {
  std::vector<double> base, now;
};

Logs logs_of(const Values& values, Launches launches) {
  if (launches == Launches::paired) return {pair_logs(values), {}};
  return {logs(values.base), logs(values.now)};
}

/// Median of those that were drawn; of all if none of them has this point.
double drawn_median(const std::vector<double>& all, const std::vector<std::size_t>& chosen) {
  std::vector<double> drawn;
  drawn.reserve(chosen.size());
  for (const std::size_t i : chosen)
    if (i < all.size()) drawn.push_back(all[i]);
  return drawn.empty() ? stats::median(all) : stats::median(std::move(drawn));
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> list(n);
  for (std::size_t i = 0; i < n; ++i) list[i] = i;
  return list;
}

/// Drawn launches of each side, or drawn pairs of them.
struct Drawn {
  std::vector<std::size_t> base, now;
  Launches launches;
};

/// Mean over the points of the logarithm of the ratio of the medians that were drawn.
double drawn_log(std::span<const Logs> points, const Drawn& drawn) {
  double sum = 0;
  for (const Logs& point : points)
    sum += drawn.launches == Launches::paired
               ? drawn_median(point.base, drawn.base)
               : drawn_median(point.now, drawn.now) - drawn_median(point.base, drawn.base);
  return sum / static_cast<double>(points.size());
}

double mean_log(std::span<const Rated> points) {
  double sum = 0;
  for (const Rated& point : points) sum += std::log(point.ratio);
  return sum / static_cast<double>(points.size());
}

double redrawn_ratio(const Values& values, Launches launches, Dice& dice) {
  if (launches == Launches::independent)
    return std::log(redrawn_median(values.now, dice) / redrawn_median(values.base, dice));
  std::vector<double> logs;
  for (const std::size_t i : dice.choice(std::min(values.base.size(), values.now.size())))
    logs.push_back(std::log(redrawn(values.now[i], dice) / redrawn(values.base[i], dice)));
  return stats::median(logs);
}

stats::Interval percentiles(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto at = [&](double share) { return std::exp(stats::quantile(samples, share)); };
  return {at(stats::tail95), at(1 - stats::tail95)};
}

}  // namespace

stats::Interval resampled(const Values& values, const Options& options) {
  Dice dice;
  std::vector<double> ratios;
  for (int i = 0; i < options.bootstrap; ++i) ratios.push_back(redrawn_ratio(values, options.launches, dice));
  return percentiles(std::move(ratios));
}

/// Launches are drawn once for all points; a few launches cannot show less than the spread that is believed, by Student's
/// t where they are so few that drawing them again tells little.
/// Ratios of medians are drawn, as they take little time, and say how far the ratios of the points can be off.
Mean mean(std::span<const Rated> points, const Spread& spread, const Options& options) {
  const Launches launches = options.launches;
  Mean result;
  result.points = points.size();
  std::size_t base = 0, now = 0;
  for (const Rated& point : points) {
    base = std::max(base, point.values->base.size());
    now = std::max(now, point.values->now.size());
  }
  const double centre = mean_log(points);
  result.ratio = std::exp(centre);
  const double variance = launches == Launches::paired ? spread.pair / static_cast<double>(base)
                                                       : spread.base / static_cast<double>(base) +
                                                             spread.now / static_cast<double>(now);
  const std::size_t freedom = launches == Launches::paired ? base - 1 : base + now - 2;
  const bool estimated = freedom > 0 && are_few(base, now, launches) && !options.launch_sd;
  const double least = (estimated ? stats::student95(freedom) : stats::z95) * std::sqrt(variance);
  std::vector<double> samples{centre};
  if (std::max(base, now) > 1) {
    std::vector<Logs> of_points;
    for (const Rated& point : points) of_points.push_back(logs_of(*point.values, launches));
    const double shift = centre - drawn_log(of_points, {all_of(base), all_of(now), launches});
    Dice dice;
    for (int i = 1; i < mean_samples; ++i) {
      auto chosen = dice.choice(base);
      samples.push_back(shift + drawn_log(of_points, {std::move(chosen), dice.choice(now), launches}));
    }
  }
  const auto drawn = percentiles(std::move(samples));
  result.interval = stats::Interval{std::min(drawn.low, std::exp(centre - least)),
                                    std::max(drawn.high, std::exp(centre + least))};
  return result;
}

}  // namespace steelyard::comparison
