// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/problem_share.hpp"

namespace steelyard::hpcc {
namespace {

/// Bytes per process of what the rules count; buffers of the implementation are none of theirs.
double counted_byte(const PointSpec& spec) {
  const auto length = static_cast<double>(spec.length);
  const double processes = spec.processes;
  switch (spec.benchmark.test) {
    case Test::random_access:
      return 8 * static_cast<double>(std::int64_t{1} << spec.bits) / processes;
    case Test::stream:
      return 3 * 8 * length;
    case Test::fft:
      return 2 * 16 * length / processes;
    case Test::dgemm:
      return 3 * 8 * length * length;
    case Test::ptrans:
      return 2 * 8 * length * length / processes;
    case Test::latency_bandwidth:
      return 0;
    case Test::solver:
      return 8 * length * length / processes;
  }
  return 0;
}

}  // namespace

std::optional<double> memory_share(const PointSpec& spec, const Settings& settings) {
  const double counted = counted_byte(spec);
  if (settings.node_share_byte <= 0 || counted <= 0) return std::nullopt;
  return counted / static_cast<double>(settings.node_share_byte);
}

bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings) {
  const auto share = memory_share(spec, settings);
  if (!share) return false;
  // The largest power of two up to a half is more than a quarter.
  if (spec.benchmark.test == Test::random_access) return *share <= 0.25;
  if (spec.benchmark.test == Test::solver) return *share < 0.5;
  const bool vectors = spec.benchmark.test == Test::stream || spec.benchmark.test == Test::fft;
  return vectors && *share < 0.25;
}

}  // namespace steelyard::hpcc
