// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measure/clock.hpp"

/// Disturbances of one process, seen from inside it. No communication. Source: docs/methodology.md, "Noise".
namespace steelyard::measure {

/// Gaps in a tight loop of clock readings. A gap above max(1 us, 5 median gaps) is a detour; the time beyond
/// the median gap is lost.
struct Detours {
  /// Upper ends of the classes of gaps, in seconds; the last class has none.
  static constexpr std::array<double, 7> class_ends_s{2e-6, 5e-6, 10e-6, 50e-6, 200e-6, 1e-3, 5e-3};

  double share = 0;    // of the time, lost
  double rate_hz = 0;  // detours per second
  double largest_s = 0;
  std::array<std::int64_t, class_ends_s.size() + 1> counts{};
};
[[nodiscard]] Detours scan_detours(const Timer& timer, double seconds);

/// Times of equal pieces of work.
struct FixedWork {
  std::int64_t quanta = 0;
  double min_s = 0, median_s = 0, mean_s = 0, p99_s = 0, p999_s = 0, max_s = 0;
};
/// Seconds of each piece, ascending: `quanta` times `steps` dependent multiply-adds, fewer if they take
/// longer than limit_s; at least one.
[[nodiscard]] std::vector<double> fixed_work_times(const Timer& timer, std::int64_t steps,
                                                   std::int64_t quanta, double limit_s);
/// Summary of ascending times, of which there is at least one.
[[nodiscard]] FixedWork summary_of(const std::vector<double>& times);

/// Counts of times in classes of equal width on a logarithmic scale from low_s to high_s; times outside count
/// in the first or the last class.
struct WorkClasses {
  static constexpr std::size_t size = 80;
  double low_s = 0, high_s = 0;  // 0 < low_s
  std::array<std::int64_t, size> counts{};
  void add(std::span<const double> times);
};

/// The summary of fixed_work_times.
[[nodiscard]] FixedWork time_fixed_work(const Timer& timer, std::int64_t steps, std::int64_t quanta,
                                        double limit_s);

/// Steps of dependent multiply-adds that take `seconds` when undisturbed.
[[nodiscard]] std::int64_t steps_for(const Timer& timer, double seconds);

}  // namespace steelyard::measure
