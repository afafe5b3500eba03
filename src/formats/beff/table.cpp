// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/table.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/beff/print.hpp"

namespace steelyard::formats::beff {
namespace {

using analysis::BeffRun;
using analysis::SetAverages;
using Value = std::optional<double>;

/// "(%7.3f)" in microseconds, as wide where there is none.
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
  const char* short_name;  // beside a method
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

/// The labels fill the column of the latency too.
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

}  // namespace

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

}  // namespace steelyard::formats::beff
