// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/seconds.hpp"

#include <algorithm>
#include <vector>

namespace steelyard::formats::beff {
namespace {

/// Of each repetition that was measured; a warm-up iteration counts as long as a timed one.
std::vector<double> seconds(const analysis::BeffRun& run, const Loop& at) {
  std::vector<double> list;
  for (int r = 0; r < run.cube().repetitions(); ++r)
    if (const auto loop = run.loop(r, at.pattern, at.length, at.method))
      list.push_back(loop->loop_s / loop->iterations * (loop->iterations + loop->warmup_iterations));
  return list;
}

}  // namespace

double spent_s(const analysis::BeffRun& run, const Loop& at) {
  double sum = 0;
  for (const double one : seconds(run, at)) sum += one;
  return sum;
}

double fastest_spent_s(const analysis::BeffRun& run, const Loop& at) {
  const auto list = seconds(run, at);
  return list.empty() ? 0 : static_cast<double>(list.size()) * std::ranges::min(list);
}

}  // namespace steelyard::formats::beff
