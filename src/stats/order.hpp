// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Order statistics of samples. Source of the definitions: docs/methodology.md, "Statistics".
namespace steelyard::stats {

struct Interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// z that a normal |Z| stays below with this probability, to two decimals as in the tables (0.95 -> 1.96).
[[nodiscard]] double normal_quantile(double level);

/// Quantile p in [0, 1] of ascending values, linear interpolation (type 7). Requires a non-empty span.
[[nodiscard]] double quantile(std::span<const double> ascending, double p);

/// Median of values in any order. Requires a non-empty span.
[[nodiscard]] double median(std::vector<double> values);

/// Largest l with Prob(Bin(n, 1/2) <= l - 1) <= (1 - level) / 2: [x_(l), x_(n-l+1)] covers the median.
/// Returns nullopt for n <= 5 at level 0.95. For n > 200: floor((n - z sqrt n) / 2), z = 1.96 at level 0.95.
[[nodiscard]] std::optional<std::size_t> median_interval_rank(std::size_t n, double level = 0.95);

/// Order-statistics interval of the median of ascending values; nullopt if there are too few.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> ascending, double level = 0.95);

/// Union of the interval over batches and the interval over the medians of visits, never narrower than
/// +- half_grid around the median. With fewer than 6 visits the interval over batches alone; nullopt
/// if neither exists.
struct LaunchInterval {
  std::optional<Interval> batches;
  std::optional<Interval> visits;
  std::optional<Interval> both;
};
[[nodiscard]] LaunchInterval launch_interval(std::span<const double> ascending_batches,
                                             std::vector<double> visit_medians, double half_grid);

/// Relative half-width (high - low) / (2 median).
[[nodiscard]] double relative_half_width(const Interval& interval, double median);

/// Lag-1 autocorrelation of values around the mean of their visit (each inner vector one visit, in order of
/// time); 0 if undefined.
[[nodiscard]] double autocorrelation(std::span<const std::vector<double>> visits);

/// Share of values above q(0.75) + 3 (q(0.75) - q(0.25)) of their visit.
[[nodiscard]] double disturbed_share(std::span<const std::vector<double>> visits);

/// At most `limit` of the values, evenly spread over their order.
[[nodiscard]] std::vector<double> thin(std::span<const double> values, std::size_t limit);

/// exp(mean of ln x). Throws std::domain_error for no values or one that is not positive.
[[nodiscard]] double geometric_mean(std::span<const double> values);

/// Mean, spread and extremes of a stream of values in bounded memory (Welford).
class Moments {
 public:
  void add(double value);
  [[nodiscard]] std::uint64_t count() const { return n_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Sample standard deviation (n - 1); 0 for fewer than two values.
  [[nodiscard]] double sd() const;
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0, m2_ = 0, min_ = 0, max_ = 0;
};

}  // namespace steelyard::stats
