// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <stdexcept>

#include "analysis/beff_run.hpp"
#include "report/chart_tables.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::BeffRun;
using analysis::Cell;
using analysis::Section;
using analysis::SetAverages;

using prefix::giga;

struct Tables {
  Section paths = chart_section(
      "beff_paths", "b_eff along its analysis paths",
      {text_column("run", "run"), number_column("processes", "processes"), text_column("path", "path"),
       number_column("number", "number"), number_column("rings", "rings", "GB/s"),
       number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section lengths =
      chart_section("beff_lengths", "The best of methods and repetitions at each length",
                    {text_column("run", "run"), number_column("processes", "processes"),
                     number_column("length_byte", "length", "B"), number_column("rings", "rings", "GB/s"),
                     number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section methods = chart_section(
      "beff_methods", "Each method of b_eff at each length",
      {text_column("run", "run"), number_column("processes", "processes"), text_column("method", "method"),
       number_column("length_byte", "length", "B"), number_column("rings", "rings", "GB/s"),
       number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section patterns = chart_section(
      "beff_patterns", "Patterns of b_eff",
      {text_column("run", "run"), number_column("processes", "processes"), text_column("pattern", "pattern"),
       text_column("set", "set"), number_column("average", "average over lengths", "GB/s"),
       number_column("longest", "at the longest", "GB/s")});
};

Cell gigabytes(const std::optional<double>& byte_s) {
  return byte_s ? Cell(*byte_s / giga) : Cell();
}

void add(Section& section, std::vector<Cell> row, const SetAverages& sets) {
  if (!sets.rings && !sets.random) return;
  for (const auto& value : {sets.rings, sets.random, sets.both}) row.push_back(gigabytes(value));
  section.table.rows.push_back(std::move(row));
}

std::string_view name_of(analysis::PatternRole role) {
  switch (role) {
    case analysis::PatternRole::ring:
      return "ring";
    case analysis::PatternRole::random:
      return "random";
    case analysis::PatternRole::additional:
      break;
  }
  return "additional";
}

void add_paths(const std::string& name, const BeffRun& run, Section& section) {
  const auto& result = run.result();
  const auto row = [&](std::string path, int number) {
    return std::vector<Cell>{name, run.cube().processes(), std::move(path), number};
  };
  add(section, row("b_eff", 1), result.official.sets);
  add(section, row("best method", 2), result.by_method.sets);
  add(section, row("best repetition", 3), result.by_repetition.sets);
  for (std::size_t m = 0; m < result.each_method.size(); ++m)
    add(section, row(run.methods()[m] + " alone", 4), result.each_method[m].sets);
  if (result.each_repetition.size() > 1)
    for (std::size_t r = 0; r < result.each_repetition.size(); ++r)
      add(section, row("repetition " + std::to_string(r + 1) + " alone", 3), result.each_repetition[r].sets);
}

void add_lengths(const std::string& name, const BeffRun& run, Section& section) {
  const auto& lengths = run.cube().lengths();
  for (std::size_t k = 0; k < lengths.size(); ++k)
    add(section, {name, run.cube().processes(), lengths[k].count()}, run.result().each_length[k].sets);
}

void add_methods(const std::string& name, const BeffRun& run, Section& section) {
  const auto& lengths = run.cube().lengths();
  const auto& methods = run.result().each_method_length;
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (std::size_t k = 0; k < lengths.size(); ++k)
      add(section, {name, run.cube().processes(), run.methods()[m], lengths[k].count()}, methods[m][k].sets);
}

void add_patterns(const std::string& name, const BeffRun& run, Section& section) {
  const auto& cube = run.cube();
  for (std::size_t p = 0; p < cube.patterns().size(); ++p) {
    const auto average = run.result().official.patterns[p], longest = cube.best(p, cube.lengths().size() - 1);
    if (!average && !longest) continue;
    section.table.rows.push_back({name, cube.processes(), cube.patterns()[p].name,
                                  std::string(name_of(cube.patterns()[p].role)), gigabytes(average),
                                  gigabytes(longest)});
  }
}

void add_run(const std::string& name, const std::vector<record::PointRecord>& points, Tables& tables) {
  try {
    const BeffRun run(points);
    add_paths(name, run, tables.paths);
    add_lengths(name, run, tables.lengths);
    add_methods(name, run, tables.methods);
    add_patterns(name, run, tables.patterns);
  } catch (const std::invalid_argument&) {
    // records of another program under this name: their points are in the tables all the same
  }
}

}  // namespace

analysis::Tables beff_tables(const Source& source) {
  Tables tables;
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::map<int, std::vector<record::PointRecord>> by_processes;
    for (const auto& point : runs[i].points)
      if (point.suite == "b-eff") by_processes[point.processes].push_back(point);
    for (const auto& [processes, points] : by_processes) add_run(source.names[i], points, tables);
  }
  analysis::Tables all{std::move(tables.paths), std::move(tables.lengths), std::move(tables.methods),
                       std::move(tables.patterns)};
  std::erase_if(all, [](const Section& one) { return one.table.rows.empty(); });
  return all;
}

}  // namespace steelyard::report
