// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

/// Models between the clocks of two processes. Pure. Source: docs/methodology.md, "Synchronised clocks".
namespace steelyard::measure {

/// G(x) = x - (offset + slope (x - x0)): this rank's clock to that of rank 0, in seconds of the timer.
struct ClockModel {
  double offset_s = 0;
  double slope = 0;
  double x0_s = 0;
  [[nodiscard]] double global(double local_s) const {
    return local_s - (offset_s + slope * (local_s - x0_s));
  }
};

/// One exchange between client and reference: client's clock before and after, reference's in between.
struct Exchange {
  double before_s = 0, reference_s = 0, after_s = 0;
  [[nodiscard]] double round_trip_s() const { return after_s - before_s; }
  [[nodiscard]] double middle_s() const { return before_s + round_trip_s() / 2; }
  [[nodiscard]] double offset_s() const { return middle_s() - reference_s; }
};

/// Fit of one pair from the best exchange of each fit point: those with a round trip of at most 1.5 times the
/// smallest (at least the 10 best); slope = Theil-Sen median, 0 if they span less than 0.1 s; offset = median
/// of what is left. Throws std::invalid_argument for no exchange.
[[nodiscard]] ClockModel fit_clock(std::span<const Exchange> best);

}  // namespace steelyard::measure
