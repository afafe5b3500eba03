// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

/// Whether the rate of RandomAccess is that of one size of the table alone: half of the table and all of it are updated in
/// turn before the test runs. Where addresses are translated slowly the rate falls with the table far beyond any cache.
namespace steelyard::hpcc {

struct PointSpec;
struct Settings;

/// Passes of half and of all of the table together.
inline constexpr int size_trials = 6;
/// Most updates that a process executes in each of them: some ten milliseconds.
inline constexpr std::int64_t size_trial_updates = std::int64_t{1} << 20;

/// Shorter passes tell of the clock and of other work.
inline constexpr double shortest_size_trial_s = 1e-3;

/// How many times as fast half of a table of 2^bits words is updated as all of it, by the fastest of three passes each;
/// pass_s(bits) executes one in the first 2^bits words and tells how long it took. 1 where there is no half, and where passes
/// are too short to tell.
template <class Pass>
[[nodiscard]] double speed_of_half_table(int bits, const Pass& pass_s) {
  if (bits < 2) return 1;
  double half_s = std::numeric_limits<double>::infinity(), all_s = half_s;
  for (int i = 0; i < size_trials / 2; ++i) {
    half_s = std::min<double>(half_s, pass_s(bits - 1));
    all_s = std::min<double>(all_s, pass_s(bits));
  }
  return half_s >= shortest_size_trial_s ? all_s / half_s : 1;
}

/// More than a tenth lies between both.
[[nodiscard]] constexpr bool falls_with_size(double speed_of_half) {
  return speed_of_half > 1.1;
}

/// Why the rate of a point's table does not stand for the machine: it falls with the size, and the rules ask for a larger
/// one. Empty where it does.
[[nodiscard]] std::string doubt_of_size(double speed_of_half, const PointSpec& spec,
                                        const Settings& settings);

}  // namespace steelyard::hpcc
