// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "measure/synchronise.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/traits.hpp"

namespace steelyard::imb {

/// Times what a row is compared with, before the row and in the way in which the row is timed: behind as many barriers
/// of the same kind, with one clock around all operations or a barrier before and a clock around each.
class TimedBefore {
 public:
  explicit TimedBefore(const Point& point)
      : barrier_(measure::make_barrier(meeting(point.settings, point.definition), point.comm())),
        meetings_(point.settings.barriers),
        apart_(point.timed_apart) {}

  /// Seconds of operations first .. first + count - 1 that run(first, count) performs, without the barriers. The
  /// first error of a barrier or of run() is added to `error`.
  template <class Run>
  double seconds(std::uint64_t first, std::uint64_t count, int& error, Run run) noexcept {
    for (int i = 0; i < meetings_; ++i) measure::keep_first(error, barrier_->synchronise());
    if (!apart_) return clocked(first, count, error, run);
    double seconds = 0;
    for (std::uint64_t i = first; i != first + count; ++i) {
      measure::keep_first(error, barrier_->synchronise());
      seconds += clocked(i, 1, error, run);
    }
    return seconds;
  }

 private:
  template <class Run>
  static double clocked(std::uint64_t first, std::uint64_t count, int& error, Run& run) noexcept {
    const double start_s = steady_seconds();
    measure::keep_first(error, run(first, count));
    return steady_seconds() - start_s;
  }

  std::unique_ptr<measure::Synchroniser> barrier_;
  int meetings_;
  bool apart_;
};

}  // namespace steelyard::imb
