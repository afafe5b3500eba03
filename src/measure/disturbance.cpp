// SPDX-License-Identifier: Apache-2.0
#include "measure/disturbance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "measure/kernels.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double shortest_detour_s = 1e-6;
constexpr double detour_in_medians = 5;
constexpr int gaps_for_median = 2000;
constexpr std::int64_t trial_steps = 20000;
constexpr int trials = 5;

double median_gap(const Timer& timer) {
  std::vector<double> gaps;
  Ticks before = timer.now();
  for (int i = 0; i < gaps_for_median; ++i) {
    const Ticks now = timer.now();
    gaps.push_back(timer.seconds(now - before));
    before = now;
  }
  return stats::median(std::move(gaps));
}

std::size_t class_of(double gap_s) {
  const auto& ends = Detours::class_ends_s;
  return static_cast<std::size_t>(std::ranges::upper_bound(ends, gap_s) - ends.begin());
}

}  // namespace

Detours scan_detours(const Timer& timer, double seconds) {
  const double median_s = median_gap(timer);
  const double limit_s = std::max(shortest_detour_s, detour_in_medians * median_s);
  Detours found;
  double lost_s = 0;
  std::int64_t count = 0;
  const Ticks start = timer.now();
  Ticks before = start;
  while (timer.seconds(before - start) < seconds) {
    const Ticks now = timer.now();
    const double gap_s = timer.seconds(now - before);
    before = now;
    if (gap_s <= limit_s) continue;
    ++count;
    lost_s += gap_s - median_s;
    found.largest_s = std::max(found.largest_s, gap_s);
    ++found.counts[class_of(gap_s)];
  }
  const double elapsed_s = timer.seconds(before - start);
  found.share = lost_s / elapsed_s;
  found.rate_hz = static_cast<double>(count) / elapsed_s;
  return found;
}

std::vector<double> fixed_work_times(const Timer& timer, std::int64_t steps, std::int64_t quanta,
                                     double limit_s) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(quanta));
  std::uint64_t value = 1;
  const Ticks start = timer.now();
  Ticks before = start;
  do {
    value = dependent_chain(value, steps);
    const Ticks now = timer.now();
    times.push_back(timer.seconds(now - before));
    before = now;
  } while (static_cast<std::int64_t>(times.size()) < quanta && timer.seconds(before - start) < limit_s);
  keep(value);
  std::ranges::sort(times);
  return times;
}

FixedWork summary_of(const std::vector<double>& times) {
  const double sum_s = std::accumulate(times.begin(), times.end(), 0.0);
  return {std::ssize(times),
          times.front(),
          stats::quantile(times, 0.5),
          sum_s / static_cast<double>(times.size()),
          stats::quantile(times, 0.99),
          stats::quantile(times, 0.999),
          times.back()};
}

FixedWork time_fixed_work(const Timer& timer, std::int64_t steps, std::int64_t quanta, double limit_s) {
  return summary_of(fixed_work_times(timer, steps, quanta, limit_s));
}

void WorkClasses::add(std::span<const double> times) {
  const double width = std::log(high_s / low_s) / size;
  for (const double time : times) {
    const double place = time > low_s && width > 0 ? std::log(time / low_s) / width : 0;
    ++counts[std::min(static_cast<std::size_t>(place), size - 1)];
  }
}

std::int64_t steps_for(const Timer& timer, double seconds) {
  const FixedWork work = time_fixed_work(timer, trial_steps, trials, std::numeric_limits<double>::infinity());
  const double per_step_s = work.min_s / static_cast<double>(trial_steps);
  return per_step_s > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / per_step_s))
                        : trial_steps;
}

}  // namespace steelyard::measure
