// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "measure/clock.hpp"

namespace steelyard::measure {
namespace {

/// A client whose clock is ahead of the reference by `offset` at time 0 and runs faster by `drift`.
struct TwoClocks {
  double offset_s = 0, drift = 0, half_trip_s = 1e-6;

  [[nodiscard]] double client(double reference_s) const {
    return reference_s + offset_s + drift * reference_s;
  }
  [[nodiscard]] Exchange exchange(double at_s, double there_s, double back_s) const {
    return {client(at_s), at_s + there_s, client(at_s + there_s + back_s)};
  }
  [[nodiscard]] double error_of(const ClockModel& model, double at_s) const {
    return std::abs(model.global(client(at_s)) - at_s);
  }
};

std::vector<Exchange> over(const TwoClocks& clocks, int points, double span_s) {
  std::vector<Exchange> exchanges;
  for (int i = 0; i < points; ++i) {
    exchanges.push_back(clocks.exchange(span_s * i / (points - 1), clocks.half_trip_s, clocks.half_trip_s));
  }
  return exchanges;
}

TEST(clock_fit, offset_and_drift_are_found_exactly_without_noise) {
  const TwoClocks clocks{3.25, 23e-6, 1e-6};
  const ClockModel model = fit_clock(over(clocks, 30, 0.3));
  EXPECT_NEAR(model.slope, 23e-6, 1e-9);
  EXPECT_LT(clocks.error_of(model, 0.15), 1e-9);
  EXPECT_LT(clocks.error_of(model, 1.3), 2e-9);
}

TEST(clock_fit, short_span_gives_no_slope) {
  const TwoClocks clocks{-1.5, 50e-6, 1e-6};
  const ClockModel model = fit_clock(over(clocks, 30, 0.09));
  EXPECT_EQ(model.slope, 0);
  EXPECT_LT(clocks.error_of(model, 0.045), 1e-7);
}

TEST(clock_fit, delayed_and_asymmetric_exchanges_stay_within_three_half_trips) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int launch = 0; launch < 200; ++launch) {
    const TwoClocks clocks{20 * unit(random) - 10, 200e-6 * unit(random) - 100e-6, 1e-6};
    std::vector<Exchange> exchanges;
    for (int i = 0; i < 30; ++i) {
      const double there_s = clocks.half_trip_s * (1 + 0.3 * unit(random));
      const double late_s = unit(random) < 0.05 ? 1e-3 * unit(random) : 0;
      exchanges.push_back(clocks.exchange(0.01 * i, there_s + late_s, clocks.half_trip_s));
    }
    const ClockModel model = fit_clock(exchanges);
    for (const double at_s : {0.0, 0.1, 0.29}) {
      EXPECT_LE(clocks.error_of(model, at_s), 3 * clocks.half_trip_s) << launch << " at " << at_s;
    }
  }
}

TEST(clock_fit, half_of_the_exchanges_late_are_left_out) {
  const TwoClocks clocks{1, 0, 1e-6};
  std::vector<Exchange> exchanges = over(clocks, 30, 0.3);
  for (std::size_t i = 0; i < exchanges.size(); i += 2) {
    exchanges[i] = clocks.exchange(exchanges[i].reference_s, 1e-6, 5e-3);
  }
  EXPECT_LT(clocks.error_of(fit_clock(exchanges), 0.2), 1e-7);
}

TEST(clock_fit, fewer_quick_ones_than_ten_takes_the_best_ten) {
  const TwoClocks clocks{1, 0, 1e-6};
  std::vector<Exchange> exchanges = over(clocks, 20, 0.3);
  for (std::size_t i = 1; i < exchanges.size(); ++i) {
    exchanges[i] = clocks.exchange(exchanges[i].reference_s, 2e-6, 2e-6 + 1e-8 * static_cast<double>(i));
  }
  const ClockModel model = fit_clock(exchanges);
  EXPECT_LT(clocks.error_of(model, 0.1), 1e-6);
  EXPECT_NEAR(model.x0_s, 1 + exchanges[9].reference_s / 2, 1e-3);
}

TEST(clock_fit, one_exchange_gives_its_offset) {
  const ClockModel model = fit_clock(std::vector<Exchange>{{10, 3, 12}});
  EXPECT_DOUBLE_EQ(model.offset_s, 8);
  EXPECT_EQ(model.slope, 0);
}

TEST(clock_fit, no_exchange_throws) {
  EXPECT_THROW(static_cast<void>(fit_clock({})), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::measure
