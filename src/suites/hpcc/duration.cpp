// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/duration.hpp"

#include <algorithm>

namespace steelyard::hpcc {
namespace {

// What a core does in a second.
constexpr double updates_s = 30e6, flops_s = 30e9, transform_flops_s = 2e9, memory_byte_s = 5e9,
                 exchanged_byte_s = 1e9;
constexpr double ring_and_pairs_s = 0.5;
constexpr int preparing_and_checking = 2;  // passes that these are worth

double speed_of(Test test) {
  switch (test) {
    case Test::random_access:
      return updates_s;
    case Test::ptrans:
      return exchanged_byte_s;
    case Test::stream:
      return memory_byte_s;
    case Test::fft:
      return transform_flops_s;
    case Test::dgemm:
    case Test::solver:
    case Test::latency_bandwidth:
      break;
  }
  return flops_s;
}

double pass_s(const PointSpec& spec, const Settings& settings) {
  const Test test = spec.benchmark.test;
  if (test == Test::latency_bandwidth) return ring_and_pairs_s;
  // Copy and Scale fetch what they overwrite, which the rules do not count.
  const double work = test == Test::stream ? 3 * 8 * static_cast<double>(spec.length) : counted_work(spec);
  const double seconds = work / std::max(spec.processes, 1) / speed_of(test);
  const bool bounded = test == Test::random_access && spec.benchmark.mode == Mode::global;
  return bounded ? std::min(seconds, settings.update_bound_s) : seconds;
}

}  // namespace

double expected_s(const PointSpec& spec, const Settings& settings) {
  const double once = pass_s(spec, settings);
  if (spec.benchmark.test == Test::latency_bandwidth) return once;
  return once * (passes(spec.benchmark.test, settings) + preparing_and_checking);
}

}  // namespace steelyard::hpcc
