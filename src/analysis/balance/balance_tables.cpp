// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/sentences.hpp"
#include "record/clipped.hpp"
#include "record/records.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::ColumnKind;
using analysis::for_programs;
using analysis::Section;
using analysis::Table;
using enum Quantity;

std::vector<analysis::Column> ratio_columns() {
  return {for_programs("system", ColumnKind::text),
          for_programs("source", ColumnKind::text),
          for_programs("run_type", ColumnKind::text),
          for_programs("nodes"),
          for_programs("processes"),
          for_programs("threads"),
          for_programs("hpl_flop_s"),
          {"title", "ratio", "", ColumnKind::text, Audience::readers},
          for_programs("ratio", ColumnKind::text),
          {"value", "value", "", ColumnKind::number},
          {"unit", "unit", "", ColumnKind::text},
          for_programs("flags", ColumnKind::flags),
          for_programs("reference_n"),
          {"reference_median", "median", "", ColumnKind::number},
          for_programs("rank"),
          {"place", "rank", "", ColumnKind::text, Audience::readers},
          {"factor", "factor", "", ColumnKind::number},
          {"remarks", "", "", ColumnKind::text, Audience::readers}};
}

Cell value_cell(const RatioRow& row) {
  Cell cell(row.value.value.value);
  cell.doubtful = parenthesised(row.value.flags);
  return cell;
}

std::vector<Cell> ratio_row(const System& system, const RatioRow& row) {
  const Standing& standing = row.standing;
  const std::string place =
      standing.rank ? std::to_string(*standing.rank) + " of " + std::to_string(standing.reference_n + 1) : "";
  return {system.name,
          system.source,
          system.run_type,
          Cell::whole(system.nodes()),
          Cell::whole(system.processes()),
          Cell::whole(system.threads()),
          system.inputs.get(hpl_flop_s),
          std::string(row.ratio->title),
          std::string(row.ratio->id),
          value_cell(row),
          std::string(row.ratio->unit),
          codes(row.value.flags),
          standing.reference_n,
          standing.median,
          standing.rank,
          place,
          standing.factor,
          words(row.value.flags)};
}

Section ratio_section(const Judged& judged) {
  Section section{
      "ratios", "Ratios of " + judged.system.name, {}, {"ratios", ratio_columns(), {}, "value"}, {}};
  for (const RatioRow& row : judged.ratios) section.table.rows.push_back(ratio_row(judged.system, row));
  section.notes = explained(judged);
  return section;
}

Section verdict_section(const Judged& judged) {
  Section section{"verdict", judged.system.name, conclusions(judged)};
  const auto lines = head(judged);
  section.text.insert(section.text.begin(), lines.begin(), lines.end());
  return section;
}

/// Absolute figures among those of the references; without rows if these have none.
Section places_section(const Judged& judged) {
  Section section{"places",
                  "Figures of " + judged.system.name + " beside the references",
                  {},
                  {"ratios", ratio_columns(), {}, "value"},
                  {}};
  for (const RatioRow& row : judged.figures) section.table.rows.push_back(ratio_row(judged.system, row));
  return section;
}

/// Readable unit: rates of machines are billions, latencies millionths.
struct Readable {
  double scale = 1;
  std::string unit;
};
Readable readable(Quantity quantity) {
  const std::string unit(record::unit_of(info(quantity).name));
  if (unit == "s") return {prefix::micro, "us"};
  if (unit == "byte/s") return {prefix::giga, "GB/s"};
  if (unit == "update/s") return {prefix::giga, "GUP/s"};
  return unit == "flop/s" ? Readable{prefix::giga, "Gflop/s"} : Readable{1, unit};
}

/// Figures that were measured and are not used.
Section withheld_section(const Judged& judged) {
  Section section =
      analysis::table_section("withheld", "Measured on " + judged.system.name + ", but not representative");
  section.table.columns = {{"figure", "figure", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"condition", "", "", ColumnKind::text}};
  for (const auto& [quantity, held] : judged.system.doubts.withheld) {
    const auto [scale, unit] = readable(quantity);
    section.table.rows.push_back({std::string(info(quantity).title), held.value / scale, unit, held.why});
  }
  return section;
}

Section shares_section(const Judged& judged) {
  Section section =
      analysis::table_section("shares", "What the time of " + judged.system.name + " goes into");
  Table& table = section.table;
  table.columns = {{"profile", "work", "", ColumnKind::text}};
  for (const Resource resource : judged.verdict.order)
    table.columns.push_back(
        {std::string(key(resource)), std::string(name(resource)), "%", ColumnKind::number});
  for (const auto& [profile, shares] : judged.verdict.shares) {
    std::vector<Cell> row{profile};
    for (const Resource resource : judged.verdict.order) row.emplace_back(100 * shares.at(resource));
    table.rows.push_back(std::move(row));
  }
  return section;
}

/// Normalised columns, one line per system; below them what 1 stands for, without which nobody
/// can read them back.
Section normalised_section(const Balance& balance) {
  Section section =
      analysis::table_section("normalised", "Normalised columns: every column over its largest value");
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text}};
  for (const NormalisedColumn& column : balance.columns) {
    table.columns.push_back({column.key, column.title, "", ColumnKind::number});
    if (!column.best) continue;
    section.notes.push_back(column.title + ": 1 is " + digits(*column.values[*column.best]) +
                            (column.unit.empty() ? "" : ' ' + column.unit) + " of " +
                            balance.compared[*column.best].name + (column.only_value ? " (only value)" : ""));
  }
  for (std::size_t i = 0; i < balance.compared.size(); ++i) {
    std::vector<Cell> row{balance.compared[i].name};
    for (const NormalisedColumn& column : balance.columns) row.emplace_back(column.relative[i]);
    table.rows.push_back(std::move(row));
  }
  return section;
}

void add_references_note(const Balance& balance, Section& section) {
  std::optional<double> first, last;
  for (const System& system : balance.references)
    if (system.year) {
      first = std::min(first.value_or(*system.year), *system.year);
      last = std::max(last.value_or(*system.year), *system.year);
    }
  if (!first) return;
  const std::string years = std::to_string(record::clipped<int>(*first)) +
                            (*first == *last ? "" : " to " + std::to_string(record::clipped<int>(*last)));
  section.notes.push_back("reference data are of " + years + ": ratios compare, absolute speeds do not");
}

using prefix::giga, prefix::micro;

enum class SystemKind { measured, published };

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

/// Cell with the decimals of the published table; own small values get more.
Cell ring(const std::optional<double>& gbyte_s) {
  return fixed(gbyte_s, gbyte_s && *gbyte_s < 0.01 ? 4 : 3);
}
Cell ping_pong(const std::optional<double>& gbyte_s) {
  return fixed(gbyte_s, gbyte_s && *gbyte_s < 1 ? 3 : 1);
}
Cell latency(const std::optional<double>& us, SystemKind kind) {
  return fixed(us, kind == SystemKind::measured && us && *us < 10 ? 2 : 0);
}
Cell solver(const std::optional<double>& gflop_s, SystemKind kind, bool doubtful) {
  return fixed(gflop_s, kind == SystemKind::measured && gflop_s && *gflop_s < 100 ? 1 : 0, doubtful);
}
int balance_decimals(double value) {
  return value >= 200 ? 0 : 1;
}
Cell balance_cell(const FlaggedRatio& balance) {
  const auto& value = balance.value.value;
  return fixed(value, value ? balance_decimals(*value) : 1, parenthesised(balance.flags));
}

/// Remark in a row: the doubts about an own value; the balance that the document's table has
/// if ours is another.
std::string remark(const System& system, SystemKind kind, const FlaggedRatio& balance) {
  if (kind == SystemKind::measured) return words(balance.flags);
  const auto& value = balance.value.value;
  std::string printed = system.printed_balance;
  std::erase_if(printed, [](char c) { return c == '(' || c == ')'; });
  if (printed.ends_with('.')) printed.pop_back();
  if (!value || printed.empty() || printed == units::format_fixed(*value, balance_decimals(*value)))
    return {};
  return "published: " + system.printed_balance;
}

std::string size(const System& system) {
  return std::to_string(record::clipped<std::int64_t>(system.processes())) + "x" +
         std::to_string(record::clipped<std::int64_t>(system.threads()));
}

std::vector<Cell> row(const System& system, SystemKind kind) {
  const auto found = flagged_ratio(*ratio_named("network_balance_byte_kflop"), system);
  const bool borrowed = has(flags(system), Flag::borrowed_hpl);
  const auto rate = in(system, hpl_flop_s, giga);
  Reading read(system.inputs);
  const double each = read.hpl() / read.of(processes) / giga;
  const bool has_each = read.missing().empty();
  return {kind == SystemKind::measured || system.interconnect.empty() ? system.name : system.interconnect,
          system.cpu,
          fixed(system.clock_ghz, 3),
          size(system),
          ring(in(system, random_ring_byte_s, giga)),
          ping_pong(in(system, pingpong_min_byte_s, giga)),
          latency(in(system, random_ring_latency_s, micro), kind),
          latency(in(system, pingpong_max_latency_s, micro), kind),
          solver(rate, kind, borrowed),
          fixed(has_each ? std::optional(each) : std::nullopt, 2, borrowed),
          balance_cell(found),
          remark(system, kind, found)};
}

Section published_table(const Balance& balance) {
  Section section =
      analysis::table_section("balance_table", "Balance of communication to computation",
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
                               {"remarks", "", "", ColumnKind::text}});
  for (const Judged& judged : balance.systems)
    section.table.rows.push_back(row(judged.system, SystemKind::measured));
  for (const System& system : balance.references)
    if (system.inputs.get(random_ring_byte_s))
      section.table.rows.push_back(row(system, SystemKind::published));
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

Section brief_verdict(const Judged& judged, const std::string& command) {
  return {"verdict", judged.system.name, in_brief(judged, command)};
}

analysis::Tables tables(const Balance& balance) {
  analysis::Tables list;
  for (const Judged& judged : balance.systems) {
    list.push_back(verdict_section(judged));
    list.push_back(ratio_section(judged));
    add_references_note(balance, list.back());
    if (!judged.figures.empty()) list.push_back(places_section(judged));
    if (!judged.system.doubts.withheld.empty()) list.push_back(withheld_section(judged));
    if (judged.verdict.kind) list.push_back(shares_section(judged));
  }
  list.push_back(absolute_section(balance));
  if (balance.compared.size() > 1) list.push_back(normalised_section(balance));
  for (auto* make : {inter_node_section, saturation_section, read_off_section, exponent_section,
                     energy_section, cost_section})
    if (Section section = make(balance); !section.table.rows.empty()) list.push_back(std::move(section));
  return list;
}

analysis::Tables published_tables(const Balance& balance) {
  analysis::Tables list{published_table(balance)};
  if (Section read_off = read_off_section(balance); !read_off.table.rows.empty())
    list.push_back(std::move(read_off));
  return list;
}

}  // namespace steelyard::balance
