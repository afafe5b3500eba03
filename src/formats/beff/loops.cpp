// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"
#include "units/quantity.hpp"

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

/// The method with which the last two lengths were measured alone; -1 if they were measured with all.
int chosen_method(const analysis::BeffRun& run, int repetition, std::size_t pattern) {
  if (!run.shortened(repetition)) return -1;
  const auto length = run.cube().lengths().size() - 2;
  for (int m = 0; m < run.cube().methods(); ++m)
    if (run.cube().at(repetition, pattern, length, m)) return m;
  return -1;
}

std::string row(const analysis::BeffRun& run, std::size_t pattern) {
  const auto& shape = run.cube().patterns()[pattern];
  const int used = run.used(pattern);
  const auto per_process = used > 0 ? std::optional(shape.messages / used) : std::nullopt;
  std::string text =
      fmt::format(" p{:02} {:<17} {:5}  {:12.0f}  {}  {}  {:6}  (", run.number(pattern), plain(shape.name),
                  shape.slots, shape.messages, number(per_process, 9, 2),
                  number(share(per_process, shape.slots), 9, 2), run.cube().processes() - used);
  for (int r = 0; r < run.cube().repetitions(); ++r)
    text += fmt::format(" {:2}", chosen_method(run, r, pattern));
  return text + " )\n";
}

/// Stands after "b_eff" without a blank, so that nobody takes the number for an official one.
std::string mark(const Source& source) {
  if (source.summary.verified == false) return "INVALID";
  if (!source.frame.mark.empty()) return plain(source.frame.mark);
  return source.summary.official.value_or(false) ? "" : "MOD";
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

std::string patterns(const Source& source) {
  constexpr auto* columns = "{:>28}  {:>12}  {:>9}  {:>9}  {:>6}  {}\n";
  std::string text =
      fmt::format(columns, "slots", "messages", "messages", "... per", "unused", "(method at the");
  text += fmt::format(columns, "", "of all", "/ process", "slot", "proc.", " last lengths)");
  for (std::size_t p = 0; p < source.run.cube().patterns().size(); ++p) text += row(source.run, p);
  return text;
}

std::string last_line(const Source& source) {
  const int processes = source.run.cube().processes();
  const auto b_eff = megabytes(source.run.b_eff());
  const auto memory = source.frame.memory_per_process_byte;
  const std::string mebibytes = memory ? fmt::format("{:3}", *memory / mebi.count()) : "---";
  const auto system = uname(source.head.machine, source.head.layout);
  return fmt::format("b_eff{} = {} MB/s = {} * {:3} PEs with {} MB/PE on {} {} {} {} {}", mark(source),
                     number(b_eff, 10, 3), number(share(b_eff, processes), 7, 3), processes, mebibytes,
                     system.sysname, system.nodename, system.release, system.version, system.machine);
}

}  // namespace steelyard::formats::beff
