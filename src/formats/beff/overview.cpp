// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/overview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/beff/print.hpp"
#include "formats/imb/head.hpp"
#include "record/json.hpp"

namespace steelyard::formats::beff {
namespace {

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

using Value = std::optional<double>;

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

OverviewColumn longest(const Source& source) {
  const auto bytes = static_cast<double>(source.run.cube().lengths().back().count());
  const Value mebibytes =
      source.run.complete() ? Value(bytes / static_cast<double>(mebi.count())) : std::nullopt;
  return {{"Lmax", "", "", ""}, "", 3, 6, number(mebibytes, 3, 0) + " MB", ""};
}

}  // namespace

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

}  // namespace steelyard::formats::beff
