// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/balance/balance.hpp"
#include "analysis/balance/sections.hpp"
#include "analysis/balance/sentences.hpp"
#include "record/records.hpp"
#include "units/prefixes.hpp"

namespace steelyard::balance {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;
using enum Quantity;

std::vector<Column> ratio_columns() {
  const auto programs = [](const char* key, ColumnKind kind = ColumnKind::number) {
    return Column{key, key, "", kind, Audience::programs};
  };
  return {programs("system", ColumnKind::text),
          programs("source", ColumnKind::text),
          programs("run_type", ColumnKind::text),
          programs("nodes"),
          programs("processes"),
          programs("threads"),
          programs("hpl_flop_s"),
          {"title", "ratio", "", ColumnKind::text, Audience::readers},
          programs("ratio", ColumnKind::text),
          {"value", "value", "", ColumnKind::number},
          {"unit", "unit", "", ColumnKind::text},
          programs("flags", ColumnKind::flags),
          programs("reference_n"),
          {"reference_median", "median", "", ColumnKind::number},
          programs("rank"),
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
          whole(system.nodes()),
          whole(system.processes()),
          whole(system.threads()),
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
  Section section{"verdict", judged.system.name, conclusions(judged), {}, {}};
  const auto lines = head(judged);
  section.text.insert(section.text.begin(), lines.begin(), lines.end());
  return section;
}

/// Absolute figures among those of the references; empty where these have none.
Section places_section(const Judged& judged) {
  Section section{"places",
                  "Figures of " + judged.system.name + " beside the references",
                  {},
                  {"ratios", ratio_columns(), {}, "value"},
                  {}};
  for (const RatioRow& row : judged.figures) section.table.rows.push_back(ratio_row(judged.system, row));
  return section;
}

/// Rates of machines are billions, latencies millionths.
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

/// What was measured and is used for nothing.
Section withheld_section(const Judged& judged) {
  Section section{"withheld",
                  "Measured on " + judged.system.name + ", but not representative",
                  {},
                  {"withheld", {}, {}, {}},
                  {}};
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
  Section section{
      "shares", "What the time of " + judged.system.name + " goes into", {}, {"shares", {}, {}, {}}, {}};
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

/// A system a line, a column a column; below it what 1 stands for, without which nobody can read it back.
Section normalised_section(const Balance& balance) {
  Section section{"normalised",
                  "Normalised columns: every column over its largest value",
                  {},
                  {"normalised", {}, {}, {}},
                  {}};
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
  const std::string years = std::to_string(static_cast<int>(*first)) +
                            (*first == *last ? "" : " to " + std::to_string(static_cast<int>(*last)));
  section.notes.push_back("reference data are of " + years + ": ratios compare, absolute speeds do not");
}

}  // namespace

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

}  // namespace steelyard::balance
