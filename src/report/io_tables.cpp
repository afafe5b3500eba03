// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "analysis/balance/references.hpp"
#include "analysis/beffio_run.hpp"
#include "analysis/ftio_runs.hpp"
#include "record/json.hpp"
#include "report/chart_tables.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::FtioRun;
using analysis::FtioRuns;
using analysis::FtioSize;
using analysis::Section;
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
  for (const FtioRun& run : size.runs) sum += value(run);
  return sum / static_cast<double>(size.runs.size());
}

/// How files were used, where the run says so.
std::string how(const FtioRun& run) {
  return run.file_access + (run.file_access.empty() || run.page_cache.empty() ? "" : ", ") + run.page_cache;
}

void add_phases(const std::string& name, const FtioSize& size, Section& section) {
  for (std::size_t p = 0; p < analysis::ftio_timed_phases; ++p) {
    const auto of = [&](double analysis::FtioPhase::*member) {
      return mean(size, [&](const FtioRun& run) { return run.phases[p].*member; });
    };
    const double time = of(&analysis::FtioPhase::time_s), io = of(&analysis::FtioPhase::io_s),
                 communication = of(&analysis::FtioPhase::communication_s),
                 byte = mean(size, [&](const FtioRun&run) { return run.phases[p].byte(); });
    section.table.rows.push_back({name, size.first().processes, static_cast<std::int64_t>(size.first().order),
                                  how(size.first()), std::string(analysis::ftio_phases[p]), time, io,
                                  communication, std::max(0.0, time - io - communication), byte / mega});
  }
}

void add_ftio(const std::string& name, const record::Run& run, Section& phases, Section& fractions) {
  std::map<int, std::vector<record::PointRecord>> by_processes;
  for (auto& point : points_of(run, "ftio")) by_processes[point.processes].push_back(std::move(point));
  for (const auto& [processes, points] : by_processes) try {
      const FtioRuns read(points);
      for (const FtioSize& size : read.sizes()) {
        if (size.runs.empty()) continue;
        add_phases(name, size, phases);
        fractions.table.rows.push_back({name, 1, processes, size.first().elements(),
                                        mean(size, [](const FtioRun& one) { return one.io_fraction; })});
      }
    } catch (const std::invalid_argument&) {
      // of another program under this name: the points are in the tables all the same
    }
}

void add_published(Section& fractions) {
  for (const auto& one : balance::published_ftio())
    fractions.table.rows.push_back({one.system, 0, one.processes, one.share.elements, one.share.io_fraction});
}

}  // namespace

analysis::Tables io_tables(const Source& source) {
  Section types = chart_section("beffio_types", "b_eff_io by pattern type",
                                {text_column("run", "run"), number_column("processes", "processes"),
                                 text_column("access", "access"), text_column("type", "type"),
                                 number_column("mbyte_s", "bandwidth", "MB/s")}),
          phases = chart_section(
              "ftio_phases", "Phases of FTIO, mean over the runs of a size",
              {text_column("run", "run"), number_column("processes", "processes"),
               number_column("order", "matrix order"), text_column("case", "files"),
               text_column("phase", "phase"), number_column("time_s", "time", "s"),
               number_column("io_s", "I/O", "s"), number_column("communication_s", "communication", "s"),
               number_column("rest_s", "computation and waiting", "s"),
               number_column("mbyte", "moved", "MB")}),
          fractions = chart_section(
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

}  // namespace steelyard::report
