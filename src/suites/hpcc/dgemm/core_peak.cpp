// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/dgemm/core_peak.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {
namespace {

using Pair = double __attribute__((vector_size(16)));
using Chains = std::make_index_sequence<12>;

/// A start value that the compiler does not know: chains that it knew to be equal would become one.
template <std::size_t>
double unknown(const volatile double& value) noexcept {
  return value;
}

/// Runs chains of x <- x / 2 + 1 / 2, which stays at 1; one instruction where the processor has it.
template <std::size_t... chain>
double run_chains(std::int64_t steps, std::index_sequence<chain...>) noexcept {
  const volatile double one = 1;
  const Pair half = {0.5, 0.5};
  Pair x[] = {Pair{unknown<chain>(one), unknown<chain>(one)}...};
  for (std::int64_t i = 0; i < steps; ++i) ((x[chain] = x[chain] * half + half), ...);
  return ((x[chain][0] + x[chain][1]) + ...) / (2 * sizeof...(chain));
}

double run(std::int64_t steps) noexcept {
  return run_chains(steps, Chains{});
}

double rate_of(const MultiplyAdds& loop, std::int64_t steps) {
  const Stopwatch watch;
  const double result = loop.run(steps);
  const double seconds = watch.seconds();
  // A result that is not used would not be computed.
  return std::abs(result - 1) < 1 && seconds > 0
             ? loop.operations_per_step * static_cast<double>(steps) / seconds
             : 0;
}

double best_rate(const MultiplyAdds& loop, double seconds) {
  constexpr std::int64_t steps = 100'000;  // some hundred microseconds: seldom interrupted
  double best = 0;
  for (const Stopwatch watch; watch.seconds() < seconds;) best = std::max(best, rate_of(loop, steps));
  return best;
}

}  // namespace

MultiplyAdds plain_multiply_adds() {
  return {run, 2.0 * 2 * Chains::size()};
}

double measured_peak(int threads, double seconds) {
  const auto loop = widest_multiply_adds();
  std::vector<double> rates(static_cast<std::size_t>(threads));
  in_threads(threads, [&](int t) { rates[static_cast<std::size_t>(t)] = best_rate(loop, seconds); });
  return std::reduce(rates.begin(), rates.end());
}

}  // namespace steelyard::hpcc
