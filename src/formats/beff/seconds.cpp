// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/beff_run.hpp"
#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"

namespace steelyard::formats::beff {
namespace {

/// Loops of all repetitions of one pattern at one length by one method.
struct Loop {
  std::size_t length, pattern;
  int method;
};

/// Calls `visit(const Loop&)` for all loops, in the order of the table of values: length, method, pattern.
template <class Visit>
void for_each_loop(const analysis::BeffRun& run, Visit visit) {
  const auto& cube = run.cube();
  for (std::size_t k = 0; k < cube.lengths().size(); ++k)
    for (int m = 0; m < cube.methods(); ++m)
      for (std::size_t p = 0; p < cube.patterns().size(); ++p) visit(Loop{k, p, m});
}

/// Seconds of each measured repetition; a warm-up iteration counts as long as a timed one.
std::vector<double> seconds(const analysis::BeffRun& run, const Loop& at) {
  std::vector<double> list;
  for (int r = 0; r < run.cube().repetitions(); ++r)
    if (const auto loop = run.loop(r, at.pattern, at.length, at.method))
      list.push_back(loop->loop_s / loop->iterations * (loop->iterations + loop->warmup_iterations));
  return list;
}

/// Seconds of the slowest process, all repetitions together, warm-up included.
double spent_s(const analysis::BeffRun& run, const Loop& at) {
  double sum = 0;
  for (const double one : seconds(run, at)) sum += one;
  return sum;
}

/// Seconds as if every repetition had been as fast as the fastest.
double fastest_spent_s(const analysis::BeffRun& run, const Loop& at) {
  const auto list = seconds(run, at);
  return list.empty() ? 0 : static_cast<double>(list.size()) * std::ranges::min(list);
}

constexpr double tolerated_percent = 5;

std::optional<double> difference_percent(std::optional<double> of, double sum_s) {
  if (!of || *of <= 0) return std::nullopt;
  return 100 * (*of - sum_s) / *of;
}

std::string row(const char* what, double sum_s, std::optional<double> difference) {
  return fmt::format("{:<46}: {:7.3f} sec, difference = {} %\n", what, sum_s, number(difference, 6, 2));
}

using analysis::BeffLoop;

/// The three rows of one pattern, length and method.
struct Row {
  const char* name;
  double BeffLoop::*byte_s;
  const char* absent;
};
constexpr std::array rows = {Row{"min", &BeffLoop::min_byte_s, "  ------"},
                             Row{"avg", &BeffLoop::avg_byte_s, "   ---- "},
                             Row{"max", &BeffLoop::max_byte_s, "    --  "}};

constexpr int label_width = 22;

std::string cells(const analysis::BeffRun& run, const Loop& at, const Row& row) {
  std::string text;
  for (int r = 0; r < run.cube().repetitions(); ++r) {
    const auto loop = run.loop(r, at.pattern, at.length, at.method);
    text += loop ? fmt::format(" {:7.3f}", (*loop).*row.byte_s / 1e6) : row.absent;
  }
  return text;
}

std::optional<double> best(const analysis::BeffRun& run, const Loop& at) {
  const auto& pattern = run.cube().patterns()[at.pattern];
  const auto all = run.cube().best_repetition(at.pattern, at.length, at.method);
  if (!all) return std::nullopt;
  return *all * pattern.slots / pattern.messages;
}

std::string outcome(const analysis::BeffRun& run, const Loop& at) {
  const auto fastest = best(run, at);
  if (!fastest) return " ->  ------ (----- s)";
  return fmt::format(" -> {:7.3f} ({:5.3f} s)", *fastest / 1e6, spent_s(run, at));
}

std::string label(const analysis::BeffRun& run, const Loop& at) {
  const bool first_pattern = at.pattern == 0, first = first_pattern && at.method == 0;
  const std::string size = first ? fmt::format("{}", run.cube().lengths()[at.length].count()) : "";
  const std::string method = first_pattern ? fmt::format("mthd{}", at.method) : "";
  return fmt::format(" {:>10} {:>5} p{:02} ", size, method, run.number(at.pattern));
}

std::string three_rows(const analysis::BeffRun& run, const Loop& at) {
  std::string text;
  for (const Row& row : rows) {
    const bool first = &row == &rows.front();
    text += (first ? label(run, at) : std::string(label_width, ' ')) + row.name + "=" + cells(run, at, row) +
            (first ? outcome(run, at) : "") + "\n";
  }
  return text;
}

}  // namespace

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

std::string values(const Source& source) {
  std::string text =
      "bandwidth of one process in MB/s: min, avg, max over the processes, one column per repetition;\n"
      "-> the best of the min row (time spent in the loops of all repetitions)\n";
  for_each_loop(source.run, [&](const Loop& at) { text += three_rows(source.run, at); });
  return text;
}

}  // namespace steelyard::formats::beff
