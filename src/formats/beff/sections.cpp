// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "formats/beff/print.hpp"
#include "formats/imb/head.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"
#include "suites/beff/patterns.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::beff {
namespace {

using analysis::PatternRole;
using record::Json;

std::string program(const Source& source) {
  return fmt::format(
      "b_eff = effective bandwidth of the communication network, by the rules of b_eff 3.6\n"
      "program              = {} {}\n"
      "date                 = {}\n",
      member(source.head.program.json(), "name"), member(source.head.program.json(), "version"),
      plain(asctime_form(source.head.started_utc)));
}

std::string whole(std::optional<std::int64_t> value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string host(const Json& layout, std::size_t index) {
  const auto hosts = layout.find("hosts");
  const bool known =
      hosts != layout.end() && hosts->is_array() && index < hosts->size() && (*hosts)[index].is_string();
  return known ? plain((*hosts)[index].get<std::string>()) : fmt::format("node {}", index);
}

/// Numbering of ranks over nodes, on which the bandwidth of rings depends.
std::string numbering(const Json& layout, const record::RankStretches& list) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", list[i].second,
                        host(layout, static_cast<std::size_t>(list[i].first)));
  if (list.size() > most) text += ", ...";
  return text.empty() ? "-" : text;
}

std::string surroundings(const Source& source) {
  const auto& head = source.head;
  const auto list = record::rank_stretches(head);
  return fmt::format(
      "number of processes  = {}\n"
      "threads per process  = {}\n"
      "nodes                = {}\n"
      "processes per node   = {}\n"
      "ranks in their order = {}\n"
      "MPI library          = {}\n"
      "seed of the polygons = {}\n",
      source.run.cube().processes(), head.threads_per_process, head.nodes, processes_per_node(head),
      numbering(head.layout.json(), list), member(head.mpi.json(), "library"), whole(source.frame.seed));
}

std::string memory(const Source& source) {
  const auto bytes = source.frame.memory_per_process_byte;
  return fmt::format("MEMORY_PER_PROCESSOR = {} MBytes  [1M = 1024*1024]\n",
                     bytes ? fmt::format("{}", *bytes / mebi.count()) : "-");
}

std::string grids(int processes) {
  std::string text;
  for (const int dimensions : {2, 3})
    text += fmt::format("{}-dim-patterns: size = {}\n", dimensions,
                        fmt::join(steelyard::beff::grid_extents(processes, dimensions), " * "));
  return text;
}

std::string lengths(const Source& source) {
  std::string text = "Used message lengths:\nmsglng=";
  for (const auto length : source.run.cube().lengths()) text += fmt::format(" {}", length.count());
  return text + "\n";
}

std::string methods(const Source& source) {
  std::string text = "Used methods:";
  for (std::size_t m = 0; m < source.run.methods().size(); ++m)
    text += fmt::format("  {}={}", m, source.run.methods()[m]);
  return text + "\n";
}

std::string pattern_list(const Source& source) {
  constexpr std::size_t per_line = 4;
  std::string text = "Used patterns:";
  const auto& patterns = source.run.cube().patterns();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (p > 0 && p % per_line == 0) text += fmt::format("\n{:14}", "");
    text += fmt::format(" {:2}={:<17}", source.run.number(p), plain(patterns[p].name));
  }
  return text + "\n";
}

std::string range(const Source& source, PatternRole role, std::string_view meaning) {
  std::vector<int> numbers;
  const auto& patterns = source.run.cube().patterns();
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (patterns[p].role == role) numbers.push_back(source.run.number(p));
  if (numbers.empty()) return fmt::format("no {}\n", meaning);
  return fmt::format("patterns {:2} - {:2}: {}\n", numbers.front(), numbers.back(), meaning);
}

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

/// Mark of a length. M: only the best method of each pattern; R: the same, and only in the first repetitions.
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

/// Method with which alone the last two lengths were measured; -1 if they were measured with all.
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

/// Mark directly after "b_eff", so that nobody takes the number for an official one.
std::string mark(const Source& source) {
  if (source.summary.verified == false) return "INVALID";
  if (!source.frame.mark.empty()) return plain(source.frame.mark);
  return source.summary.official.value_or(false) ? "" : "MOD";
}

using Value = std::optional<double>;

std::string line(const char* name, Value value, int decimals, const char* unit) {
  return fmt::format("{:<34}= {} {}\n", name, number(value, 12, decimals), unit);
}

Value value(const record::SummaryRecord& summary, std::string_view name) {
  const auto found =
      std::ranges::find(summary.values, name, [](const auto& one) { return std::string_view(one.first); });
  if (found == summary.values.end()) return std::nullopt;
  const auto* plain_number = std::get_if<double>(&found->second);
  return plain_number == nullptr ? std::nullopt : Value(*plain_number);
}

std::string results(const Source& source) {
  const auto& derived = source.run.derived();
  const double p = source.run.cube().processes();
  const auto mega = [](const char* name, Value byte_s) {
    return line(name, megabytes(byte_s), 3, "MByte/s");
  };
  const auto micro = [](const char* name, Value s) { return line(name, microseconds(s), 3, "microsec"); };
  const auto longest =
      source.run.complete() ? Value(source.run.cube().lengths().back().count()) : std::nullopt;
  return mega("b_eff, accumulated", source.run.b_eff()) +
         mega("b_eff, per process", share(source.run.b_eff(), p)) +
         micro("latency, rings & random", derived.latency_s) +
         micro("latency, rings only", derived.ring_latency_s) + line("Lmax", longest, 0, "Byte") +
         mega("b_eff at Lmax, rings & random", derived.at_longest_byte_s) +
         mega("b_eff at Lmax, per process", share(derived.at_longest_byte_s, p)) +
         mega("b_eff at Lmax, rings only", derived.rings_at_longest_byte_s) +
         mega("b_eff at Lmax, rings, per process", share(derived.rings_at_longest_byte_s, p)) +
         micro("ping-pong latency", derived.pingpong_latency_s) +
         mega("ping-pong bandwidth at Lmax", derived.pingpong_bandwidth_byte_s);
}

std::string balance(const Source& source) {
  std::string text =
      line("time to communicate all memory", value(source.summary, "memory_communication_time_s"), 3, "sec");
  if (source.frame.rmax_flop_s) {
    text += line("R_max", *source.frame.rmax_flop_s / 1e9, 3, "Gflop/s");
    text += line("balance factor b_eff / R_max", value(source.summary, "balance_factor"), 6, "byte/flop");
  }
  return text;
}

std::string validity(const Source& source) {
  if (source.summary.official.value_or(false)) return "validity: VALID\n";
  std::string text = "validity: NOT VALID as an official value:\n";
  for (const auto& reason : source.summary.not_official_because)
    text += fmt::format("          - {}\n", plain(reason));
  return text;
}

std::string system(const Source& source) {
  const auto names = uname(source.head.machine, source.head.layout);
  const auto memory = source.frame.memory_per_process_byte;
  const auto per_node = memory ? fmt::format("{}", *memory / mebi.count() * source.run.cube().processes() /
                                                       std::max(1, source.head.nodes))
                               : "-";
  return fmt::format(
      "system parameters  : {} nodes, {} MB/node\n"
      "       system name : {}\n       hostname    : {}\n       OS release  : {}\n       OS version  : {}\n"
      "       machine     : {}\n\n"
      "Date of measurement: {}\n"
      "Total execution wall clock time = {} seconds\n",
      source.head.nodes, per_node, names.sysname, names.nodename, names.release, names.version, names.machine,
      plain(asctime_form(source.head.started_utc)), number(source.elapsed_s, 5, 0));
}

template <class CellOf>
std::string table_row(std::string_view name, const std::vector<OverviewColumn>& columns, CellOf cell_of) {
  std::string text = fmt::format("{:<11} |", name);
  for (const auto& column : columns)
    text += fmt::format("{:>{}}", cell_of(column), column.gap + column.width);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string table(const std::vector<OverviewColumn>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.front().heading.size(); ++i)
    text += table_row("", columns, [&](const auto& column) { return column.heading[i]; });
  return text + table_row("", columns, [](const auto& column) { return column.unit; }) +
         table_row("accumulated", columns, [](const auto& column) { return column.accumulated; }) +
         table_row("per process", columns, [](const auto& column) { return column.per_process; });
}

constexpr std::string_view mega = "MByte/s", micro = "microsec";

OverviewColumn bandwidth(std::array<std::string_view, 4> heading, int gap, Value accumulated,
                         Value per_process) {
  constexpr int width = 9;
  return {heading,
          mega,
          gap,
          width,
          number(megabytes(accumulated), width, 0),
          per_process ? number(megabytes(per_process), width, 0) : ""};
}

OverviewColumn latency(std::array<std::string_view, 4> heading, Value seconds) {
  constexpr int width = 6;
  return {heading, micro, 4, width, number(microseconds(seconds), width, 3), ""};
}

/// A length as the published table prints it, "  8 MB" of 2^20 byte; "64 kB" of 1024 where it is shorter.
std::string length_text(Bytes length) {
  const bool shorter = length < mebi;
  const std::int64_t unit = shorter ? kibi.count() : mebi.count();
  const bool even = length.count() % unit == 0;
  return number(static_cast<double>(length.count()) / static_cast<double>(unit), 3, even ? 0 : 1) +
         (shorter ? " kB" : " MB");
}

OverviewColumn longest(const Source& source) {
  const std::string length =
      source.run.complete() ? length_text(source.run.cube().lengths().back()) : number({}, 3, 0) + " MB";
  return {{"Lmax", "", "", ""}, "", 3, 6, length, ""};
}

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

std::string head(const Source& source) {
  return program(source) + memory(source) + surroundings(source) + grids(source.run.cube().processes()) +
         lengths(source) + methods(source) + pattern_list(source) +
         range(source, PatternRole::ring, "ring patterns, half of b_eff") +
         range(source, PatternRole::random, "random polygons, the other half of b_eff") +
         range(source, PatternRole::additional, "additional patterns, for information only");
}

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

std::string overview(const Source& source) {
  return results(source) + balance(source) + validity(source) + "\n" + system(source) + "\n" +
         table(overview_columns(source));
}

std::vector<OverviewColumn> overview_columns(const Source& source) {
  const auto& run = source.run;
  const auto& derived = run.derived();
  const double p = run.cube().processes();
  const Value at_longest = derived.at_longest_byte_s, rings = derived.rings_at_longest_byte_s;
  return {{{"number", "of pro-", "cesses", ""}, "", 2, 5, fmt::format("{:5}", run.cube().processes()), ""},
          bandwidth({"b_eff", "", "", ""}, 4, run.b_eff(), share(run.b_eff(), p)),
          longest(source),
          bandwidth({"b_eff", "at Lmax", "rings &", "random"}, 2, at_longest, share(at_longest, p)),
          bandwidth({"b_eff", "at Lmax", "rings", "only"}, 4, rings, share(rings, p)),
          latency({"Latency", "rings &", "random", ""}, derived.latency_s),
          latency({"Latency", "rings", "only", ""}, derived.ring_latency_s),
          latency({"Latency", "ping-", "pong", ""}, derived.pingpong_latency_s),
          bandwidth({"ping-", "pong", "band-", "width"}, 4, derived.pingpong_bandwidth_byte_s, std::nullopt)};
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

std::string values(const Source& source) {
  std::string text =
      "bandwidth of one process in MB/s: min, avg, max over the processes, one column per repetition;\n"
      "-> the best of the min row (time spent in the loops of all repetitions)\n";
  for_each_loop(source.run, [&](const Loop& at) { text += three_rows(source.run, at); });
  return text;
}

}  // namespace steelyard::formats::beff
