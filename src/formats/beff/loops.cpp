// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "formats/beff/sections.hpp"
#include "formats/beff/words.hpp"

namespace steelyard::formats::beff {
namespace {

/// Loops of all patterns at one length with one method in one repetition.
struct Loops {
  double iterations = 0, total_s = 0, min_s = 0, max_s = 0;
};

std::optional<Loops> loops(const analysis::BeffRun& run, int repetition, std::size_t length, int method) {
  std::optional<Loops> all;
  for (std::size_t p = 0; p < run.cube().patterns().size(); ++p) {
    const auto one = run.loop(repetition, p, length, method);
    if (!one) continue;
    if (!all) all = Loops{one->iterations, 0, one->loop_s, one->loop_s};
    all->total_s += one->loop_s;
    all->min_s = std::min(all->min_s, one->loop_s);
    all->max_s = std::max(all->max_s, one->loop_s);
  }
  return all;
}

/// M: only the best method of each pattern; R: and that only in the first repetitions.
char mark(const analysis::BeffRun& run, int repetition, std::size_t length) {
  const auto from_end = run.cube().lengths().size() - length;
  if (from_end > 2 || !run.shortened(repetition)) return ' ';
  return from_end == 2 ? 'M' : 'R';
}

std::string cells(const std::optional<Loops>& all, char mark) {
  if (!all) return fmt::format(" {:->4} {:->7} {:->7} {:->7} {}", "", "", "", "", mark);
  return fmt::format(" {:4.0f} {:7.1e} {:7.1e} {:7.1e} {}", all->iterations, all->total_s, all->min_s,
                     all->max_s, mark);
}

std::string block(const analysis::BeffRun& run, int method) {
  std::string title = fmt::format("method={}  |", method);
  std::string columns = fmt::format("(={:>7})|", run.methods()[static_cast<std::size_t>(method)]);
  for (int r = 0; r < run.cube().repetitions(); ++r) {
    title += fmt::format(" {:<30}", fmt::format("repetition {}", r + 1));
    columns += fmt::format(" {:>4} {:>7} {:>7} {:>7}  ", "n", "total", "min", "max");
  }
  std::string text = title + "\n" + columns + "\n";
  for (std::size_t k = 0; k < run.cube().lengths().size(); ++k) {
    text += fmt::format(" {:9} ", run.cube().lengths()[k].count());
    for (int r = 0; r < run.cube().repetitions(); ++r)
      text += cells(loops(run, r, k, method), mark(run, r, k));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string loop(const Source& source) {
  return fmt::format("elapsed time of the run: {} sec\n", number(source.elapsed_s, 7, 3));
}

std::string loop_lengths(const Source& source) {
  std::string text =
      "n = looplength; total, min, max over the patterns of the loop time of the slowest process, in "
      "seconds\n"
      "M = only the best method of each pattern was measured, R = and not in every repetition\n";
  for (int m = 0; m < source.run.cube().methods(); ++m) text += block(source.run, m);
  return text;
}

}  // namespace steelyard::formats::beff
