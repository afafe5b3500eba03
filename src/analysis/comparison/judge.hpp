// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analysis/comparison/launches.hpp"

/// Ratios, intervals, probabilities. Internal to this folder.
namespace steelyard::comparison {

/// Spread between launches of the two sides, as variances of ln; `pair`: of the ratio of a pair.
struct Spread {
  double base = 0, now = 0;
  double pair = 0;
};

/// ln (new / base) of each pair.
[[nodiscard]] std::vector<double> pair_logs(const Values& values);

/// Variance of ln of launch medians, pooled over points; nullopt if no point has two launches.
class Pool {
 public:
  void add(std::span<const Value> launches);
  void add_logs(std::span<const double> logs);
  [[nodiscard]] std::optional<double> variance() const;

 private:
  double squares_ = 0;
  std::size_t freedom_ = 0;
};

/// Spread between launches that is believed without proof: a smaller one is chance.
inline constexpr double least_launch_sd = 0.02;

/// Whether ranks alone of so many launches can reach the rate of false alarms.
[[nodiscard]] bool ranks_can_decide(std::size_t base, std::size_t now, const Options& options);

/// Fills ratio, interval, p and the test of a point that both sides have. `points`: how many are compared.
void estimate(Point& point, const Values& values, const Spread& spread, std::size_t points,
              const Options& options);

/// Number of launches a side, or of pairs, that would probably decide at the threshold.
[[nodiscard]] int launches_needed(const Spread& spread, const Options& options);

/// Number of launches a side, or of pairs, with which a point whose interval lies beyond the threshold would probably have
/// a p of `alpha` at the end of that interval which is nearer to no difference; more than it has. Requires p.
[[nodiscard]] int launches_to_prove(const Point& point, const Values& values, const Spread& spread,
                                    double alpha, const Options& options);

/// A point of a benchmark, and the ratio that was found of it.
struct Rated {
  const Values* values = nullptr;
  double ratio = 1;
};

/// Geometric mean of the ratios of some points whose launches are common to all of them.
[[nodiscard]] Mean mean(std::span<const Rated> points, const Spread& spread, const Options& options);

/// Percentiles of the ratio of medians where launches, then visits within them, are drawn again.
[[nodiscard]] stats::Interval resampled(const Values& values, const Options& options);

}  // namespace steelyard::comparison
