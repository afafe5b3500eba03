// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stats/order.hpp"

namespace steelyard::stats {
namespace {

constexpr int launches = 4000;
constexpr double skew = 0.03;           // noise of a batch: log-normal
constexpr double outlier_share = 0.02;  // and a few batches that cost 30 % more

/// Scripted launches: visits share a shift (placement, frequency, neighbours), batches have noise of their
/// own.
class Launches {
 public:
  explicit Launches(double visit_sd) : visit_sd_(visit_sd) {}

  struct Launch {
    std::vector<double> ascending, visit_medians;
  };

  Launch next(int visits, int batches) {
    Launch launch;
    for (int v = 0; v < visits; ++v) {
      const double shift = 1 + visit_sd_ * normal_(random_);
      std::vector<double> values;
      for (int b = 0; b < batches; ++b) values.push_back(shift * batch());
      launch.ascending.insert(launch.ascending.end(), values.begin(), values.end());
      launch.visit_medians.push_back(median(std::move(values)));
    }
    std::sort(launch.ascending.begin(), launch.ascending.end());
    return launch;
  }

 private:
  double batch() {
    const double noise = std::exp(skew * normal_(random_));
    return uniform_(random_) < outlier_share ? 1.3 * noise : noise;
  }

  double visit_sd_;
  std::mt19937_64 random_{2008};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

/// Median of one batch without shift: solves 0.98 F(x) + 0.02 F(x / 1.3) = 1/2 by bisection.
double true_median() {
  const auto below = [](double x) { return 0.5 * std::erfc(-std::log(x) / skew / std::sqrt(2.0)); };
  double low = 0.9, high = 1.1;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    const double share = (1 - outlier_share) * below(x) + outlier_share * below(x / 1.3);
    (share < 0.5 ? low : high) = x;
  }
  return low;
}

struct Covered {
  double batches = 0, both = 0;
};

Covered coverage(double visit_sd) {
  Launches source(visit_sd);
  const double truth = true_median();
  const auto holds = [&](const Interval& i) {
    return i.low <= truth && truth <= i.high ? 1.0 / launches : 0.0;
  };
  Covered share;
  for (int i = 0; i < launches; ++i) {
    const auto launch = source.next(10, 30);
    const LaunchInterval interval = launch_interval(launch.ascending, launch.visit_medians, 0);
    share.batches += holds(interval.batches.value());
    share.both += holds(interval.both.value());
  }
  return share;
}

TEST(launch_interval_coverage, independent_batches_are_covered_either_way) {
  const Covered share = coverage(0);
  EXPECT_GE(share.batches, 0.94);
  EXPECT_GE(share.both, 0.97);
}

TEST(launch_interval_coverage, visits_that_differ_need_the_interval_over_visits) {
  const Covered share = coverage(0.01);
  EXPECT_LT(share.batches, 0.85);
  EXPECT_GE(share.both, 0.95);
}

TEST(median_interval_coverage, of_skewed_noise_for_small_and_large_samples) {
  Launches source(0);
  const double truth = true_median();
  for (const int n : {6, 9, 20, 50, 300}) {
    int covered = 0;
    for (int i = 0; i < launches; ++i) {
      const auto interval = median_interval(source.next(1, n).ascending).value();
      covered += interval.low <= truth && truth <= interval.high;
    }
    EXPECT_GE(covered / static_cast<double>(launches), 0.94) << n;
  }
}

}  // namespace
}  // namespace steelyard::stats
