// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/beff_run.hpp"
#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"

namespace steelyard::formats::beff {
namespace {

using Averaged = analysis::EffectiveBandwidth::Averaged;

struct Method {
  int number = 0;
  std::string name;
};

/// Values of one group of columns, a row per pattern.
struct Group {
  std::vector<const Averaged*> columns;
  const Averaged* result = nullptr;  // printed behind the columns, per process and accumulated
  std::optional<Method> method;      // method of the values; the table has several groups then
  /// Latency of a row, printed before the columns; empty = the table has none.
  std::function<std::optional<double>(std::size_t pattern)> latency_s = {};
};

using analysis::BeffRun;
using analysis::SetAverages;
using Value = std::optional<double>;

/// Latency as "(%7.3f)" in microseconds, as wide if it is not known; empty if the table has no such column.
std::string latency(const Group& group, std::size_t pattern) {
  return group.latency_s ? fmt::format("({})", number(microseconds(group.latency_s(pattern)), 7, 3)) : "";
}

std::string no_latency(const Group& group) {
  constexpr std::size_t width = 9;
  return group.latency_s ? std::string(width, ' ') : "";
}

template <class ValueOf>
std::string cells(const Group& group, double divisor, ValueOf value_of) {
  std::string text;
  for (const Averaged* column : group.columns)
    text += fmt::format(" {}", number(megabytes(share(value_of(*column), divisor)), 7, 3));
  return text;
}

std::string result(const BeffRun& run, const char* arrow, Value byte_s) {
  return fmt::format(" {} {} -> {} MByte/s", arrow,
                     number(megabytes(share(byte_s, run.cube().processes())), 7, 3),
                     number(megabytes(byte_s), 10, 3));
}

std::string name_of(const BeffRun& run, std::size_t pattern) {
  return fmt::format("{:<17}", plain(run.cube().patterns()[pattern].name));
}

std::string row(const BeffRun& run, const Group& group, std::size_t pattern) {
  const auto value_of = [&](const Averaged& column) { return column.patterns[pattern]; };
  const std::string label = group.method
                                ? fmt::format("method {:1} ={:<7}", group.method->number, group.method->name)
                                : name_of(run, pattern);
  return fmt::format(" p{:02} {} :", run.number(pattern), label) + latency(group, pattern) +
         cells(group, run.cube().processes(), value_of) + result(run, "->", value_of(*group.result)) + "\n";
}

struct Average {
  const char* name;
  const char* short_name;  // printed beside a method
  Value SetAverages::*value;
};
constexpr std::array averages = {Average{"log_avg of all rings", "ring,", &SetAverages::rings},
                                 Average{"log_avg of all random", "random,", &SetAverages::random},
                                 Average{"log_avg(ring,random)", "average,", &SetAverages::both}};

std::string average_cells(const BeffRun& run, const Group& group, Value SetAverages::*value) {
  const auto value_of = [&](const Averaged& column) { return column.sets.*value; };
  return cells(group, run.cube().processes(), value_of) + result(run, "||", value_of(*group.result)) + "\n";
}

std::string accumulated_cells(const Group& group) {
  const auto both = [](const Averaged& column) { return column.sets.both; };
  return cells(group, 1, both) +
         fmt::format(" || {} MByte/s\n", number(megabytes(both(*group.result)), 7, 3));
}

std::string average_rows(const BeffRun& run, const Group& group) {
  std::string text;
  for (const Average& average : averages)
    text +=
        fmt::format(" {:<22}:", average.name) + no_latency(group) + average_cells(run, group, average.value);
  return text + fmt::format(" {:<22}:", "accumulated on all pr.") + no_latency(group) +
         accumulated_cells(group);
}

/// Rows of averages by method; the labels fill the column of the latency too.
std::string average_rows_by_method(const BeffRun& run, const std::vector<Group>& groups) {
  std::string text;
  for (const Average& average : averages) {
    text += fmt::format(" {}\n", average.name);
    for (const Group& group : groups)
      text += fmt::format(" - {:<11}method {} = {:<7}:", average.short_name, group.method->number,
                          group.method->name) +
              average_cells(run, group, average.value);
  }
  text += " accumulated on all processes\n";
  for (const Group& group : groups)
    text += fmt::format(" - accumulated, mthd {} = {:<7}:", group.method->number, group.method->name) +
            accumulated_cells(group);
  return text;
}

bool is_additional(const BeffRun& run, std::size_t pattern) {
  return run.cube().patterns()[pattern].role == analysis::PatternRole::additional;
}

std::string heading(const std::vector<std::string>& names, bool with_latency) {
  std::string text = fmt::format("{:24}{}", "", with_latency ? "(latency)" : "");
  for (const auto& name : names) text += fmt::format(" {:>7}", name);
  return text + fmt::format(" -> {:>7} -> {:>10}\n", "per pr.", "accumul.");
}

constexpr std::size_t length_step = 4;

const char* const in_mbytes = "in MByte/s per process; last column accumulated over all processes\n";

/// Two lines of what was shortened and one of what follows; empty where nothing was left out.
std::string caution(const BeffRun& run, const char* what) {
  const bool lacks_longest = run.lacks_longest_in_a_repetition();
  if (!run.shortened() && !lacks_longest) return "";
  const char* shortened =
      !run.shortened()
          ? "CAUTION: The last message length was not measured in every repetition, to save time.\n"
            "         b_eff is not affected, but\n"
      : lacks_longest
          ? "CAUTION: The last two message lengths were measured with the best method of each pattern only,\n"
            "         and the last one not in every repetition, to save time. b_eff is not affected, but\n"
          : "CAUTION: The last two message lengths were measured with the best method of each pattern only,\n"
            "         to save time. b_eff is not affected, but\n";
  return fmt::format("{}         {}.\n", shortened, what);
}

std::string caution_of_methods(const BeffRun& run, const char* what) {
  return run.shortened() ? caution(run, what) : "";
}

std::string caution_of_repetitions(const BeffRun& run, const char* what) {
  return run.lacks_longest_in_a_repetition() ? caution(run, what) : "";
}

std::vector<const Averaged*> each(const std::vector<Averaged>& list) {
  std::vector<const Averaged*> columns;
  for (const auto& one : list) columns.push_back(&one);
  return columns;
}

std::vector<const Averaged*> every_fourth(const std::vector<Averaged>& by_length) {
  std::vector<const Averaged*> columns;
  for (std::size_t k = 0; k < by_length.size(); k += length_step) columns.push_back(&by_length[k]);
  return columns;
}

std::vector<std::string> lengths(const BeffRun& run) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < run.cube().lengths().size(); k += length_step)
    names.push_back(fmt::format("{}", run.cube().lengths()[k].count()));
  return names;
}

/// Seconds of one slot of the pattern at the shortest length, at this bandwidth of the whole pattern.
Value slot_latency(const BeffRun& run, std::size_t pattern, Value byte_s) {
  if (!byte_s || *byte_s <= 0) return std::nullopt;
  const auto& shape = run.cube().patterns()[pattern];
  const auto shortest = static_cast<double>(run.cube().lengths().front().count());
  return shape.messages * shortest / (*byte_s * shape.slots);
}

Group group_of_method(const BeffRun& run, int method) {
  const auto m = static_cast<std::size_t>(method);
  const auto& result = run.result();
  return {.columns = every_fourth(result.each_method_length[m]),
          .result = &result.each_method[m],
          .method = Method{method, run.methods()[m]},
          .latency_s = [&run, method](std::size_t p) {
            return slot_latency(run, p, run.cube().best_repetition(p, 0, method));
          }};
}

std::string row_of_length(const BeffRun& run, std::size_t k) {
  const auto& sets = run.result().each_length[k].sets;
  const double processes = run.cube().processes();
  std::string text =
      fmt::format(" {:9}  {}", run.cube().lengths()[k].count(), number(megabytes(sets.both), 10, 3));
  const auto add = [&](Value byte_s) {
    text += fmt::format(" {}", number(megabytes(share(byte_s, processes)), 8, 3));
  };
  for (const Value value : {sets.both, sets.rings, sets.random}) add(value);
  for (const auto& method : run.result().each_method_length) add(method[k].sets.both);
  return text + "\n";
}

std::string heading_of_lengths(const BeffRun& run) {
  std::string text =
      fmt::format(" {:>9}  {:>10} {:>8} {:>8} {:>8}", "msglng", "accumul.", "average", "rings", "random");
  for (const auto& method : run.methods()) text += fmt::format(" {:>8}", method);
  return text + "\n";
}

/// Table of one row per pattern; with several groups the pattern's name and a row per group below it. Then
/// the averages of each group.
std::string table(const BeffRun& run, const std::vector<std::string>& names,
                  const std::vector<Group>& groups) {
  std::string text = heading(names, static_cast<bool>(groups.front().latency_s));
  for (std::size_t p = 0; p < run.cube().patterns().size(); ++p) {
    if (is_additional(run, p) && (p == 0 || !is_additional(run, p - 1)))
      text += " additional patterns, not part of b_eff:\n";
    if (groups.size() > 1) text += fmt::format(" p{:02} {}\n", run.number(p), name_of(run, p));
    for (const Group& group : groups) text += row(run, group, p);
  }
  text += "\n";
  return text + (groups.size() > 1 ? average_rows_by_method(run, groups) : average_rows(run, groups.front()));
}

}  // namespace

std::string by_methods(const Source& source) {
  const auto& result = source.run.result();
  return std::string("max over methods of the average over the lengths of the max over repetitions,\n") +
         in_mbytes +
         caution_of_methods(source.run,
                            "an average over all lengths exists only where a method was the best one") +
         table(source.run, source.run.methods(), {{each(result.each_method), &result.by_method, {}, {}}});
}

std::string by_repetitions(const Source& source) {
  const auto& result = source.run.result();
  std::vector<std::string> names;
  for (int r = 0; r < source.run.cube().repetitions(); ++r) names.push_back(fmt::format("rep. {}", r + 1));
  return std::string("max over repetitions of the average over the lengths of the max over methods,\n") +
         in_mbytes +
         caution_of_repetitions(
             source.run, "an average over all lengths exists only where a repetition has the last one") +
         table(source.run, names, {{each(result.each_repetition), &result.by_repetition, {}, {}}});
}

std::string by_method_and_length(const Source& source) {
  std::vector<Group> groups;
  for (int m = 0; m < source.run.cube().methods(); ++m) groups.push_back(group_of_method(source.run, m));
  return std::string(
             "each method apart: every fourth length and the average over all lengths, max over "
             "repetitions,\n") +
         in_mbytes + "(latency): of one slot at the shortest length, in microseconds\n" +
         caution_of_methods(source.run, "single methods have no value where another one was the best") +
         table(source.run, lengths(source.run), groups);
}

std::string by_length(const Source& source) {
  std::string text =
      std::string(
          "max over methods and repetitions, log_avg of rings and random, in MByte/s:\n"
          "accumulated; per process: of both, of the rings, of the random polygons, of both by "
          "each method\n") +
      caution_of_methods(source.run, "single methods have no value at the last lengths") +
      heading_of_lengths(source.run);
  for (std::size_t k = 0; k < source.run.cube().lengths().size(); ++k) text += row_of_length(source.run, k);
  return text;
}

std::string by_pattern_and_length(const Source& source) {
  const auto& run = source.run;
  const auto latency = [&run](std::size_t p) { return slot_latency(run, p, run.cube().best(p, 0)); };
  return std::string(
             "the definition of b_eff: average over the lengths of the max over methods and repetitions,\n") +
         in_mbytes + "(latency): of one slot at the shortest length, in microseconds\n" +
         table(run, lengths(run),
               {{every_fourth(run.result().each_length), &run.result().official, {}, latency}});
}

}  // namespace steelyard::formats::beff
