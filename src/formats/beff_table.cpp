// SPDX-License-Identifier: Apache-2.0
#include "formats/beff_table.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/beff_words.hpp"

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

std::string row(const BeffRun& run, const Group& group, std::size_t pattern) {
  const auto value_of = [&](const Averaged& column) { return column.patterns[pattern]; };
  const std::string label =
      group.label.empty() ? fmt::format("{:<17}", plain(run.cube().patterns()[pattern].name)) : group.label;
  return fmt::format(" p{:02} {} :", run.number(pattern), label) + latency(group, pattern) +
         cells(group, run.cube().processes(), value_of) + result(run, "->", value_of(*group.result)) + "\n";
}

struct Average {
  const char* name;
  Value SetAverages::*value;
};
constexpr std::array averages = {Average{"log_avg of all rings", &SetAverages::rings},
                                 Average{"log_avg of all random", &SetAverages::random},
                                 Average{"log_avg(ring,random)", &SetAverages::both}};

std::string average_row(const BeffRun& run, const Group& group, const Average& average) {
  const auto value_of = [&](const Averaged& column) { return column.sets.*average.value; };
  return fmt::format(" {:<22}:", average.name) + no_latency(group) +
         cells(group, run.cube().processes(), value_of) + result(run, "||", value_of(*group.result)) + "\n";
}

std::string average_rows(const BeffRun& run, const Group& group) {
  std::string text = group.label.empty() ? "\n" : fmt::format("\n {}\n", group.label);
  for (const Average& average : averages) text += average_row(run, group, average);
  const auto both = [](const Averaged& column) { return column.sets.both; };
  return text + fmt::format(" {:<22}:", "accumulated on all pr.") + no_latency(group) +
         cells(group, 1, both) + "\n";
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
    for (const Group& group : groups) text += row(run, group, p);
  }
  for (const Group& group : groups) text += average_rows(run, group);
  return text;
}

}  // namespace steelyard::formats::beff
