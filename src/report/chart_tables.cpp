// SPDX-License-Identifier: Apache-2.0
#include "report/chart_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "analysis/balance/references.hpp"
#include "analysis/beff_run.hpp"
#include "analysis/beffio_run.hpp"
#include "analysis/ftio_runs.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::report {

using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;
using analysis::table_section;

namespace {

using analysis::BeffRun;
using analysis::Cell;
using analysis::SetAverages;

using prefix::giga;

struct Tables {
  Section paths = table_section(
      "beff_paths", "b_eff along its analysis paths",
      {text_column("run", "run"), number_column("processes", "processes"), text_column("path", "path"),
       number_column("number", "number"), number_column("rings", "rings", "GB/s"),
       number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section lengths =
      table_section("beff_lengths", "The best of methods and repetitions at each length",
                    {text_column("run", "run"), number_column("processes", "processes"),
                     number_column("length_byte", "length", "B"), number_column("rings", "rings", "GB/s"),
                     number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section methods = table_section(
      "beff_methods", "Each method of b_eff at each length",
      {text_column("run", "run"), number_column("processes", "processes"), text_column("method", "method"),
       number_column("length_byte", "length", "B"), number_column("rings", "rings", "GB/s"),
       number_column("random", "random", "GB/s"), number_column("both", "both", "GB/s")});
  Section patterns = table_section(
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
    case analysis::PatternRole::ring: return "ring";
    case analysis::PatternRole::random: return "random";
    case analysis::PatternRole::additional: break;
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

using analysis::FtioRuns;
using analysis::FtioSize;
using ftio::RunFigures;
using record::Json;

using prefix::mega;
constexpr std::array<const char*, analysis::beffio_type_count> type_names = {"scatter", "shared", "separated",
                                                                             "segmented", "seg_coll"};

std::vector<record::PointRecord> points_of(const record::Run& run, std::string_view suite) {
  std::vector<record::PointRecord> list;
  for (const auto& point : run.points)
    if (point.suite == suite) list.push_back(point);
  return list;
}

void add_types(const std::string& name, const record::Run& run, Section& section) try {
  const analysis::BeffioRun read(points_of(run, "b-eff-io"));
  for (const auto& partition : read.partitions())
    for (std::size_t access = 0; access < analysis::beffio_access_count; ++access) {
      const auto values = partition.type_values(access);
      for (std::size_t type = 0; type < values.size(); ++type)
        if (values[type])
          section.table.rows.push_back({name, partition.processes(),
                                        std::string(analysis::beffio_accesses[access]), type_names[type],
                                        *values[type] / mega});
    }
} catch (const std::invalid_argument&) {
  // no such points, or of another program under this name: they are in the tables all the same
}

/// Mean over the runs of one size.
double mean(const FtioSize& size, auto value) {
  double sum = 0;
  for (const RunFigures& run : size.runs) sum += value(run);
  return sum / static_cast<double>(size.runs.size());
}

/// How files were used, where the run says so.
std::string how(const RunFigures& run) {
  return run.file_access + (run.file_access.empty() || run.page_cache.empty() ? "" : ", ") + run.page_cache;
}

void add_phases(const std::string& name, const FtioSize& size, Section& section) {
  for (std::size_t p = 0; p < ftio::timed_phases; ++p) {
    const auto of = [&](double ftio::PhaseFigures::*member) {
      return mean(size, [&](const RunFigures& run) { return run.phases[p].*member; });
    };
    const double time = of(&ftio::PhaseFigures::time_s), io = of(&ftio::PhaseFigures::io_s),
                 communication = of(&ftio::PhaseFigures::communication_s),
                 byte = mean(size, [&](const RunFigures&run) { return run.phases[p].byte(); });
    section.table.rows.push_back({name, size.first().processes, size.first().order, how(size.first()),
                                  std::string(text(ftio::phases[p])), time, io, communication,
                                  std::max(0.0, time - io - communication), byte / mega});
  }
}

/// Sizes that a run measured, number of processes after number.
std::vector<FtioSize> ftio_sizes(const record::Run& run) {
  std::map<int, std::vector<record::PointRecord>> by_processes;
  for (auto& point : points_of(run, "ftio")) by_processes[point.processes].push_back(std::move(point));
  std::vector<FtioSize> all;
  for (const auto& [processes, points] : by_processes) try {
      const FtioRuns read(points);
      all.insert(all.end(), read.sizes().begin(), read.sizes().end());
    } catch (const std::invalid_argument&) {
      // of another program under this name: the points are in the tables all the same
    }
  return all;
}

/// A curve for each use of files: those of several numbers of processes are one.
void add_ftio(const std::string& name, const record::Run& run, Section& phases, Section& fractions) {
  const auto sizes = ftio_sizes(run);
  const bool several_uses = std::ranges::any_of(
      sizes, [&](const FtioSize& size) { return how(size.first()) != how(sizes.front().first()); });
  for (const FtioSize& size : sizes) {
    add_phases(name, size, phases);
    const std::string use = several_uses ? how(size.first()) : std::string();
    fractions.table.rows.push_back({name + (use.empty() ? "" : ", ") + use, 1, size.first().processes,
                                    size.first().elements(),
                                    mean(size, [](const RunFigures& one) { return one.io_fraction; })});
  }
}

void add_published(Section& fractions) {
  for (const auto& one : balance::published_ftio())
    fractions.table.rows.push_back({one.system, 0, one.processes, one.share.elements, one.share.io_fraction});
}

using prefix::micro, prefix::nano;
constexpr std::size_t most_marks = 1500;

/// Adds classes of equal width on a logarithmic scale; none if a member is not what it should be.
void add_classes(const std::string& name, const char* when, const Json& noise, Section& section) {
  const Json* found = noise.at_pointer("/fixed_work/classes");
  if (!found || !found->is_object()) return;
  const Json& classes = *found;
  const Json low = classes.value("low_s", Json()), high = classes.value("high_s", Json()),
             counts = classes.value("counts", Json());
  if (!low.is_number() || !high.is_number() || !counts.is_array() || counts.empty()) return;
  const double from = low.get<double>(), size = static_cast<double>(counts.size());
  if (!(from > 0) || !(high.get<double>() > from)) return;
  const double step = std::log(high.get<double>() / from) / size;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].is_number_integer()) return;
    const double k = static_cast<double>(i);
    section.table.rows.push_back({name, when, from * std::exp(k * step) / micro,
                                  from * std::exp((k + 1) * step) / micro, counts[i].get<std::int64_t>()});
  }
}

Cell scaled(const std::optional<double>& value, double unit) {
  return value ? Cell(*value / unit) : Cell();
}

/// Rows whose session is told, which are the first ones.
std::vector<const Row*> with_session(const Rows::OfRun& rows) {
  std::vector<const Row*> list;
  for (const Row& row : rows)
    if (row.session) list.push_back(&row);
  return list;
}

/// Seconds of measuring before each session of a run: times of a session count from its own start.
std::map<int, double> begins_of_sessions(const std::vector<const Row*>& rows) {
  std::map<int, double> longest, begins;
  for (const Row* row : rows) longest[*row->session] = std::max(longest[*row->session], row->at_s);
  double sum = 0;
  for (const auto& [session, length_s] : longest) begins[session] = std::exchange(sum, sum + length_s);
  return begins;
}

/// When each point was measured, in seconds since the start, without the time between sessions. A record is written when the block of its point ends:
/// points that were written faster one after the other than they can have been measured shared one block, and each
/// gets the middle of the block's time.
std::vector<double> measured_at(const std::vector<const Row*>& rows) {
  std::vector<double> middles(rows.size());
  const auto begins = begins_of_sessions(rows);
  double before = 0;
  for (std::size_t first = 0; first < rows.size();) {
    const int session = *rows[first]->session;
    if (first > 0 && *rows[first - 1]->session != session) before = 0;
    double sum = rows[first]->elapsed_s;
    std::size_t end = first + 1;
    for (; end < rows.size() && *rows[end]->session == session &&
           rows[end]->at_s - rows[end - 1]->at_s < rows[end]->elapsed_s;
         ++end)
      sum += rows[end]->elapsed_s;
    const double written = rows[first]->at_s;
    const double began = std::clamp(written - sum, std::min(before, written), written);
    for (std::size_t k = first; k < end; ++k) middles[k] = begins.at(session) + (began + written) / 2;
    before = rows[end - 1]->at_s;
    first = end;
  }
  return middles;
}

void add_points(const std::string& name, const Rows::OfRun& of_run, Section& speed, Section& clocks) {
  const auto rows = with_session(of_run);
  const auto middles = measured_at(rows);
  for (std::size_t k = 0; k < middles.size(); ++k) {
    const auto& point = *rows[k]->point;
    const double at_s = middles[k];
    for (const auto& state : rows[k]->states)
      if (state.chain_s || state.wide_s || state.c2c_s)
        speed.table.rows.push_back({name, at_s, point.suite + '/' + point.benchmark,
                                    scaled(state.chain_s, micro), scaled(state.wide_s, micro),
                                    scaled(state.c2c_s, nano)});
    if (point.schedule && point.schedule->clock_error_s)
      clocks.table.rows.push_back({name, at_s, point.suite + '/' + point.benchmark,
                                   scaled(point.schedule->clock_error_median_s, nano),
                                   scaled(point.schedule->clock_error_s, nano)});
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

analysis::Tables io_tables(const Source& source) {
  Section types = table_section("beffio_types", "b_eff_io by pattern type",
                                {text_column("run", "run"), number_column("processes", "processes"),
                                 text_column("access", "access"), text_column("type", "type"),
                                 number_column("mbyte_s", "bandwidth", "MB/s")}),
          phases = table_section(
              "ftio_phases", "Phases of FTIO, mean over the runs of a size",
              {text_column("run", "run"), number_column("processes", "processes"),
               number_column("order", "matrix order"), text_column("case", "files"),
               text_column("phase", "phase"), number_column("time_s", "time", "s"),
               number_column("io_s", "I/O", "s"), number_column("communication_s", "communication", "s"),
               number_column("rest_s", "computation and waiting", "s"),
               number_column("mbyte", "moved", "MB")}),
          fractions = table_section(
              "B14", "Share of I/O in FTIO over the size of the matrix",
              {text_column("curve", "machine"), number_column("own", "own"),
               number_column("processes", "processes"), number_column("elements", "matrix elements"),
               number_column("io_fraction", "share of I/O")});
  fractions.table.columns[1].shown = analysis::Audience::programs;
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_types(source.names[i], runs[i], types);
    add_ftio(source.names[i], runs[i], phases, fractions);
  }
  if (!fractions.table.rows.empty()) add_published(fractions);
  analysis::Tables all{std::move(types), std::move(phases), std::move(fractions)};
  std::erase_if(all, [](const Section& one) { return one.table.rows.empty(); });
  return all;
}

analysis::Tables time_tables(const Source& source) {
  Section work = table_section(
      "fixed_work", "Times of the same work",
      {text_column("run", "run"), text_column("when", "when"), number_column("from_us", "from", "us"),
       number_column("to_us", "to", "us"), number_column("count", "count")});
  analysis::Tables all;
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Section speed = table_section(
                "speed_over_time", "Speed of the processors over the run",
                {text_column("run", "run"), number_column("at_s", "after", "s"),
                 text_column("benchmark", "during"), number_column("chain_us", "dependent", "us"),
                 number_column("wide_us", "independent", "us"), number_column("c2c_ns", "cache line", "ns")}),
            clocks = table_section(
                "clock_over_time", "Clocks of the processes against that of the first",
                {text_column("run", "run"), number_column("at_s", "after", "s"),
                 text_column("benchmark", "during"), number_column("median_ns", "median error", "ns"),
                 number_column("largest_ns", "largest error", "ns")});
    add_classes(source.names[i], "start", runs[i].head.noise.json(), work);
    for (const auto& event : runs[i].events)
      if (event.code == "noisy") add_classes(source.names[i], "end", event.data.json(), work);
    add_points(source.names[i], source.points->of_run(i), speed, clocks);
    for (Section* one : {&speed, &clocks})
      if (one->table.rows.size() > 1) all.push_back(thinned(std::move(*one), most_marks));
  }
  if (!work.table.rows.empty()) all.insert(all.begin(), std::move(work));
  return all;
}

Column text_column(const char* key, const char* title) {
  return {key, title, "", ColumnKind::text};
}

Column number_column(const char* key, const char* title, const char* unit) {
  return {key, title, unit, ColumnKind::number};
}

Section thinned(Section section, std::size_t most) {
  auto& rows = section.table.rows;
  const std::size_t size = rows.size();
  if (size <= most) return section;
  std::vector<std::vector<analysis::Cell>> kept;
  for (const std::size_t i : evenly(size, most)) kept.push_back(std::move(rows[i]));
  rows = std::move(kept);
  section.notes.push_back(std::to_string(most) + " of " + std::to_string(size) + " rows, evenly thinned");
  return section;
}

analysis::Tables chart_tables(const Source& source) {
  analysis::Tables all;
  for (auto* make : {beff_tables, io_tables, time_tables})
    std::ranges::move(make(source), std::back_inserter(all));
  for (auto* make : {synchronisation_table, message_rate_table})
    if (auto table = make(source); !table.table.rows.empty()) all.push_back(std::move(table));
  return all;
}

}  // namespace steelyard::report
