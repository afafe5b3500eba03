// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/duration.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::hpcc {
namespace {

// What a core does in a second.
constexpr double updates_s = 30e6, flops_s = 30e9, transform_flops_s = 2e9, memory_byte_s = 5e9,
                 exchanged_byte_s = 1e9;
constexpr double ring_and_pairs_s = 0.5;
constexpr int preparing_and_checking = 2;  // passes that these are worth

double pass_s(const PointSpec& spec, const Settings& settings) {
  const auto length = static_cast<double>(spec.length);
  const auto processes = static_cast<double>(std::max(spec.processes, 1));
  switch (spec.benchmark.test) {
    case Test::random_access: {
      const double seconds = 4 * std::ldexp(1.0, spec.bits) / processes / updates_s;
      return spec.benchmark.mode == Mode::global ? std::min(seconds, settings.update_bound_s) : seconds;
    }
    case Test::ptrans:
      return 8 * length * length / processes / exchanged_byte_s;
    case Test::dgemm:
      return 2 * length * length * length / flops_s;
    case Test::stream:
      return 3 * 8 * length / memory_byte_s;
    case Test::fft:
      return 5 * length * std::log2(std::max(length, 2.0)) / processes / transform_flops_s;
    case Test::latency_bandwidth:
      return ring_and_pairs_s;
    case Test::solver:
      return hpl::operations(spec.length) / processes / flops_s;
  }
  return 0;
}

}  // namespace

double expected_s(const PointSpec& spec, const Settings& settings) {
  const double once = pass_s(spec, settings);
  if (spec.benchmark.test == Test::latency_bandwidth) return once;
  return once * (passes(spec.benchmark.test, settings) + preparing_and_checking);
}

}  // namespace steelyard::hpcc
