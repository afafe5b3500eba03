// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/seconds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"

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

constexpr double tolerated_percent = 5;

std::optional<double> difference_percent(std::optional<double> of, double sum_s) {
  if (!of || *of <= 0) return std::nullopt;
  return 100 * (*of - sum_s) / *of;
}

std::string row(const char* what, double sum_s, std::optional<double> difference) {
  return fmt::format("{:<46}: {:7.3f} sec, difference = {} %\n", what, sum_s, number(difference, 6, 2));
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

std::string elapsed(const Source& source) {
  double spent = 0, fastest = 0;
  for_each_loop(source.run, [&](const Loop& at) {
    spent += spent_s(source.run, at);
    fastest += fastest_spent_s(source.run, at);
  });
  const auto of_all = difference_percent(source.elapsed_s, spent);
  const auto of_fastest = difference_percent(source.elapsed_s, fastest);
  std::string text =
      fmt::format("{:<46}: {} sec\n", "elapsed time of the run", number(source.elapsed_s, 7, 3)) +
      row("sum over the loops, as measured", spent, of_all) +
      row("sum over the loops, by the fastest repetition", fastest, of_fastest);
  const auto large = [](std::optional<double> percent) {
    return percent && std::abs(*percent) > tolerated_percent;
  };
  if (large(of_all) || large(of_fastest))
    text +=
        "CAUTION: a difference is larger than 5 %. The run also sets up, checks messages and waits at "
        "barriers,\n"
        "         and may hold other benchmarks; a large difference between the two sums tells of "
        "disturbances.\n";
  return text;
}

}  // namespace steelyard::formats::beff
