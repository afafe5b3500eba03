// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "report/sections.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;

using prefix::micro;

}  // namespace

std::optional<double> overlap_of(const Row& row) {
  return row.length_byte == 0 ? std::nullopt : median_of(*row.point, "overlap_percent");
}

Part overlap_part(const Source& source) {
  Part part{"overlap", "Overlap with computation", {}, {}, "overlap"};
  Section section{"overlap", "", {}, {"overlap", {}, {}, {}}, {}};
  section.table.columns = {{"run", "run", "", ColumnKind::text},
                           {"benchmark", "benchmark", "", ColumnKind::text},
                           {"processes", "processes", "", ColumnKind::number},
                           {"variant", "case", "", ColumnKind::text},
                           {"length_byte", "length", "B", ColumnKind::number},
                           {"overlap", "overlap", "%", ColumnKind::number}};
  for (const Row& row : source.rows)
    if (const auto overlap = overlap_of(row))
      section.table.rows.push_back(
          {source.names[row.run], row.point->suite + '/' + row.point->benchmark, row.point->processes,
           row.variant, row.length_byte ? Cell(static_cast<std::int64_t>(*row.length_byte)) : Cell(),
           *overlap});
  if (!section.table.rows.empty()) part.folded.push_back(std::move(section));
  return part;
}

/// One size of every benchmark that was measured with several numbers of processes: the middle one.
Part scaling_part(const Source& source) {
  Part part{"scaling", "Scaling", {}, {}, "scaling"};
  Section section{"scaling",
                  "Time over the number of processes, middle length of each benchmark",
                  {},
                  {"scaling", {}, {}, {}},
                  {}};
  section.table.columns = {{"run", "run", "", ColumnKind::text},
                           {"benchmark", "benchmark", "", ColumnKind::text},
                           {"variant", "case", "", ColumnKind::text},
                           {"length_byte", "length", "B", ColumnKind::number},
                           {"processes", "processes", "", ColumnKind::number},
                           {"time", "median time", "us", ColumnKind::number},
                           {"growth", "over the fewest", "", ColumnKind::number}};
  for (const Benchmark& one : source.benchmarks) {
    if (one.metric != "time_s" || one.suite == "b-eff") continue;
    using Place = std::tuple<std::size_t, std::string, double>;
    std::map<Place, std::map<int, double>> found;
    std::set<double> lengths;
    for (const Row* row : one.rows) {
      if (!row->median || !row->length_byte) continue;
      lengths.insert(*row->length_byte);
      found[{row->run, row->variant, *row->length_byte}][row->point->processes] = *row->median;
    }
    if (lengths.empty()) continue;
    const double middle = *std::next(lengths.begin(), std::ssize(lengths) / 2);
    for (const auto& [place, times] : found) {
      if (times.size() < 2 || std::get<2>(place) != middle) continue;
      for (const auto& [processes, time] : times)
        section.table.rows.push_back({source.names[std::get<0>(place)], one.suite + '/' + one.name,
                                      std::get<1>(place), static_cast<std::int64_t>(middle), processes,
                                      time / micro, time / times.begin()->second});
    }
  }
  if (!section.table.rows.empty()) part.folded.push_back(std::move(section));
  return part;
}

Part comparison_part(const Source& source) {
  Part part{"comparison", "Comparison", {}, {}, "comparison"};
  const auto& material = source.material;
  if (!material.not_compared.empty())
    part.shown.push_back({"comparison",
                          "",
                          {"The results cannot be compared point by point: " + material.not_compared},
                          {},
                          {}});
  if (!material.compared) return part;
  if (!material.compared_as.empty()) part.shown.push_back({"comparison", "", {material.compared_as}, {}, {}});
  for (Section& section : comparison::tables(*material.compared)) {
    auto& place = section.table.id == "points" ? part.folded : part.shown;
    place.push_back(std::move(section));
  }
  return part;
}

Part points_part(const Source& source) {
  Part part{"points", "All points", {}, {}, "points"};
  if (source.rows.empty()) return part;
  part.shown.push_back({"points",
                        "",
                        {counted(std::ssize(source.rows), "point", "points") + " of " +
                         counted(std::ssize(source.benchmarks), "benchmark", "benchmarks") +
                         ". 'steelyard export --to csv' writes every number of every point."},
                        {},
                        {}});
  return part;
}

}  // namespace steelyard::report
