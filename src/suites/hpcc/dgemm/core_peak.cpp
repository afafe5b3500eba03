// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/dgemm/core_peak.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {
namespace {

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

double measured_peak(int threads, double seconds) {
  const auto loop = widest_multiply_adds();
  std::vector<double> rates(static_cast<std::size_t>(threads));
  in_threads(threads, [&](int t) { rates[static_cast<std::size_t>(t)] = best_rate(loop, seconds); });
  return std::reduce(rates.begin(), rates.end());
}

}  // namespace steelyard::hpcc
