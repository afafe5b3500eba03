// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/sections.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using enum Quantity;

using prefix::giga, prefix::micro;

enum class Origin { measured, published };

Cell fixed(const std::optional<double>& value, int decimals, bool doubtful = false) {
  Cell cell(value);
  cell.decimals = decimals;
  cell.doubtful = doubtful;
  return cell;
}

std::optional<double> in(const System& system, Quantity quantity, double unit) {
  const auto value = system.inputs.get(quantity);
  return value ? std::optional(*value / unit) : std::nullopt;
}

/// Decimals of the published table; own small values get more.
Cell ring(const std::optional<double>& gbyte_s) {
  return fixed(gbyte_s, gbyte_s && *gbyte_s < 0.01 ? 4 : 3);
}
Cell ping_pong(const std::optional<double>& gbyte_s) {
  return fixed(gbyte_s, gbyte_s && *gbyte_s < 1 ? 3 : 1);
}
Cell latency(const std::optional<double>& us, Origin origin) {
  return fixed(us, origin == Origin::measured && us && *us < 10 ? 2 : 0);
}
Cell solver(const std::optional<double>& gflop_s, Origin origin, bool doubtful) {
  return fixed(gflop_s, origin == Origin::measured && gflop_s && *gflop_s < 100 ? 1 : 0, doubtful);
}
int balance_decimals(double value) {
  return value >= 200 ? 0 : 1;
}
Cell balance_cell(const FlaggedRatio& balance) {
  const auto& value = balance.value.value;
  return fixed(value, value ? balance_decimals(*value) : 1, parenthesised(balance.flags));
}

/// What is doubtful of an own value; what the table of the document has where ours has another number.
std::string remark(const System& system, Origin origin, const FlaggedRatio& balance) {
  if (origin == Origin::measured) return words(balance.flags);
  const auto& value = balance.value.value;
  std::string printed = system.printed_balance;
  std::erase_if(printed, [](char c) { return c == '(' || c == ')'; });
  if (printed.ends_with('.')) printed.pop_back();
  if (!value || printed.empty() || printed == units::format_fixed(*value, balance_decimals(*value)))
    return {};
  return "published: " + system.printed_balance;
}

std::string size(const System& system) {
  return std::to_string(static_cast<std::int64_t>(system.processes())) + "x" +
         std::to_string(static_cast<std::int64_t>(system.threads()));
}

std::vector<Cell> row(const System& system, Origin origin) {
  const auto found = flagged_ratio(*ratio_named("network_balance_byte_kflop"), system);
  const bool borrowed = has(flags(system), Flag::borrowed_hpl);
  const auto rate = in(system, hpl_flop_s, giga);
  Reading read(system.inputs);
  const double each = read.hpl() / read.of(processes) / giga;
  const bool has_each = read.missing().empty();
  return {origin == Origin::measured || system.interconnect.empty() ? system.name : system.interconnect,
          system.cpu,
          fixed(system.clock_ghz, 3),
          size(system),
          ring(in(system, random_ring_byte_s, giga)),
          ping_pong(in(system, pingpong_min_byte_s, giga)),
          latency(in(system, random_ring_latency_s, micro), origin),
          latency(in(system, pingpong_max_latency_s, micro), origin),
          solver(rate, origin, borrowed),
          fixed(has_each ? std::optional(each) : std::nullopt, 2, borrowed),
          balance_cell(found),
          remark(system, origin, found)};
}

Section published_table(const Balance& balance) {
  Section section{"balance_table", "Balance of communication to computation", {}, {}, {}};
  section.table = {"balance_table",
                   {{"switch", "switch", "", ColumnKind::text},
                    {"cpu", "CPU", "", ColumnKind::text},
                    {"clock_ghz", "clock", "GHz", ColumnKind::number},
                    {"processes_threads", "P x T", "", ColumnKind::text},
                    {"random_ring_gbyte_s", "ring", "GB/s", ColumnKind::number},
                    {"pingpong_gbyte_s", "ping-pong", "GB/s", ColumnKind::number},
                    {"random_ring_latency_us", "ring lat.", "us", ColumnKind::number},
                    {"pingpong_latency_us", "p.-p. lat.", "us", ColumnKind::number},
                    {"hpl_gflop_s", "HPL", "Gflop/s", ColumnKind::number},
                    {"hpl_per_process_gflop_s", "HPL/proc.", "Gflop/s", ColumnKind::number},
                    {"balance_byte_kflop", "balance", "byte/kflop", ColumnKind::number},
                    {"remarks", "", "", ColumnKind::text}},
                   {},
                   {}};
  for (const Judged& judged : balance.systems)
    section.table.rows.push_back(row(judged.system, Origin::measured));
  for (const System& system : balance.references)
    if (system.inputs.get(random_ring_byte_s)) section.table.rows.push_back(row(system, Origin::published));
  section.notes.emplace_back("in parentheses: doubtful, or with HPL taken from another run");
  const auto differs = [](const auto& line) {
    return std::get<std::string>(line.back().value).find("published: ") != std::string::npos;
  };
  if (std::ranges::any_of(section.table.rows, differs))
    section.notes.emplace_back(
        "published: the document divides by HPL per process as it prints it, rounded; here nothing is rounded");
  return section;
}

}  // namespace

analysis::Tables published_tables(const Balance& balance) {
  analysis::Tables list{published_table(balance)};
  if (Section read_off = read_off_section(balance); !read_off.table.rows.empty())
    list.push_back(std::move(read_off));
  return list;
}

}  // namespace steelyard::balance
