// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "record/json.hpp"
#include "report/chart_tables.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

/// Rows of a table of what the charts show over time.
constexpr std::size_t most_noise_rows = 160;

struct Entry {
  const char *pointer, *title, *unit;
  double scale;
  bool of_least = false;  // recorded over the least time; shown as a share of the whole time
};
constexpr auto noise_entries = std::to_array<Entry>({
    {"/work_s", "work of one quantum", "us", 1e6},
    {"/fixed_work/median_s", "median time of the same work", "us", 1e6},
    {"/fixed_work/p99_s", "99 %", "us", 1e6},
    {"/fixed_work/p999_s", "99.9 %", "us", 1e6},
    {"/fixed_work/max_s", "longest", "us", 1e6},
    {"/p99_over_median", "99 % over median", "", 1},
    {"/noise", "time lost, worst process", "%", 100, true},
    {"/median_over_ranks/noise", "time lost, median process", "%", 100, true},
    {"/detour_share", "time in interruptions", "%", 100},
    {"/detour_rate_hz", "interruptions a second", "1/s", 1},
    {"/detour_max_s", "longest interruption", "us", 1e6},
    {"/crowding", "slowdown with all processes busy", "", 1},
    {"/waiting_share", "time not scheduled", "%", 100},
});
constexpr auto clock_entries = std::to_array<Entry>({
    {"/resolution_s", "resolution", "ns", 1e9},
    {"/cost_s", "cost of one reading", "ns", 1e9},
    {"/back_to_back_s", "least difference of two readings", "ns", 1e9},
    {"/mpi_wtime/cost_s", "cost of MPI_Wtime", "ns", 1e9},
});

std::optional<double> number_at(const Json& json, const char* pointer) {
  const Json* found = json.at_pointer(pointer);
  return found && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

double shown(const Entry& entry, double value) {
  return (entry.of_least ? value / (1 + value) : value) * entry.scale;
}

/// A line per entry, a column per run.
template <std::size_t n>
Section section_of(const Source& source, const char* id, const char* title,
                   const std::array<Entry, n>& entries, record::Document record::RunRecord::*member) {
  Section section{id, title, {}, {id, {{"what", "what", "", ColumnKind::text}}, {}, {}}, {}};
  for (const std::string& name : source.names)
    section.table.columns.push_back({name, name, "", ColumnKind::number});
  section.table.columns.push_back({"unit", "unit", "", ColumnKind::text});
  for (const Entry& entry : entries) {
    std::vector<Cell> row{entry.title};
    bool any = false;
    for (const auto& run : source.input.runs) {
      const auto value = number_at((run.head.*member).json(), entry.pointer);
      row.push_back(value ? Cell(shown(entry, *value)) : Cell());
      any = any || value;
    }
    row.emplace_back(entry.unit);
    if (any) section.table.rows.push_back(std::move(row));
  }
  return section;
}

}  // namespace

Part noise_part(const Source& source) {
  Part part{"noise", "Noise and clock", {}, {}, "noise"};
  for (Section section : {section_of(source, "noise", "The same work again and again, before measuring",
                                     noise_entries, &record::RunRecord::noise),
                          section_of(source, "clock", "Clock", clock_entries, &record::RunRecord::clock)})
    if (!section.table.rows.empty()) part.shown.push_back(std::move(section));
  for (Section& section : time_tables(source))
    part.folded.push_back(thinned(std::move(section), most_noise_rows));
  return part;
}

}  // namespace steelyard::report
