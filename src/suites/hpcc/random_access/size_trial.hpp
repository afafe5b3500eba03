// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

/// Trial of whether the rate of RandomAccess belongs to one size of the table only: half of the table and all
/// of it are updated in turn before the test runs. Where addresses are translated slowly, the rate falls with
/// the size of the table far beyond any cache.
namespace steelyard::hpcc {

struct PointSpec;
struct Settings;

/// Passes of the trial, over half and over all of the table together.
inline constexpr int size_trials = 6;
/// Most updates that a process executes in each pass of this trial, and of that of the ways: some ten milliseconds.
inline constexpr std::int64_t trial_updates = std::int64_t{1} << 20;

/// Shortest pass that counts: shorter ones tell of the clock and of other work.
inline constexpr double shortest_size_trial_s = 1e-3;

/// Rate of updates of half of a table of 2^bits words over that of all of it, by the fastest of three passes
/// each. pass_s(bits) executes a pass over the first 2^bits words and returns its seconds. 1 if there is no
/// half, or if the passes are too short to tell.
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

/// Whether half of the table is faster by more than a tenth.
[[nodiscard]] constexpr bool falls_with_size(double speed_of_half) {
  return speed_of_half > 1.1;
}

/// Reason why the rate of a point's table does not stand for the machine: it falls with the size, and the
/// rules ask for a larger one. Empty if it does.
[[nodiscard]] std::string doubt_of_size(double speed_of_half, const PointSpec& spec,
                                        const Settings& settings);

}  // namespace steelyard::hpcc
