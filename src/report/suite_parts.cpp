// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/comparison/imported.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "report/chart_tables.hpp"
#include "report/sections.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;

constexpr std::string_view usual_statistic = "median";

/// Statistic of a point, "mean, over ranks: max"; of our own the median, of an experiment, which is a single number, what
/// its definition asks for. Empty if it is not known.
std::string statistic(const record::PointRecord& point) {
  if (record::is_imported(point)) return comparison::statistic_of(point);
  if (point.suite == hpcc::suite_name) return std::string(hpcc::statistic_of(point.benchmark));
  const auto* metric = record::metric(point, point.primary);
  return metric != nullptr && std::holds_alternative<double>(*metric) ? "" : std::string(usual_statistic);
}

/// Columns that hold anything, and the largest values.
struct Shape {
  bool runs = false, processes = false, variants = false, lengths = false, intervals = false, tails = false,
       rates = false, imported = false, medians = true;
  double largest = 0, largest_rate = 0;
};

Shape shape_of(const Benchmark& benchmark) {
  Shape shape;
  const Row& first = *benchmark.rows.front();
  for (const Row* row : benchmark.rows) {
    shape.runs |= row->run != first.run;
    shape.processes |= row->point->processes != first.point->processes;
    shape.variants |= !row->variant.empty();
    shape.lengths |= row->length_byte.has_value();
    shape.intervals |= row->low.has_value();
    shape.tails |= row->p99.has_value();
    shape.imported |= record::is_imported(*row->point);
    shape.medians &= statistic(*row->point) == usual_statistic;
    shape.rates |= row->byte_s.has_value();
    shape.largest = std::max(shape.largest, row->median.value_or(0));
    shape.largest_rate = std::max(shape.largest_rate, row->byte_s.value_or(0));
  }
  return shape;
}

/// "hpcc/LatencyBandwidth, random ring latency": with its metric where the benchmark has several.
std::string title(const Benchmark& benchmark) {
  return benchmark.suite + '/' + benchmark.name +
         (benchmark.only ? "" : ", " + record::metric_words(benchmark.metric));
}

std::vector<Column> columns(const Shape& shape, const Benchmark& benchmark, const Scale& scale,
                            const Scale& rate) {
  const auto eye = [](bool when) { return when ? Audience::all : Audience::programs; };
  const bool time = benchmark.metric == "time_s";
  const auto number = [](const char* key, std::string title, std::string unit, Audience shown) {
    return Column{key, std::move(title), std::move(unit), ColumnKind::number, shown};
  };
  return {{"run", "run", "", ColumnKind::text, eye(shape.runs)},
          {"key", "key", "", ColumnKind::text, Audience::programs},
          number("processes", "processes", "", Audience::all),
          {"variant", "case", "", ColumnKind::text, eye(shape.variants)},
          number("length_byte", "length", "B", eye(shape.lengths)),
          number("median",
                 !shape.medians ? "value"
                 : time         ? "median time"
                                : "median",
                 scale.unit, Audience::all),
          {"statistic", "statistic", "", ColumnKind::text, eye(shape.imported)},
          number("low", "95 % from", scale.unit, eye(shape.intervals)),
          number("high", "to", scale.unit, eye(shape.intervals)),
          number("p99", "99 %", scale.unit, eye(shape.tails)),
          number("n", "batches", "", eye(shape.tails)),
          number("rate", "rate", rate.unit, eye(shape.rates)),
          {"remark", "", "", ColumnKind::text}};
}

Cell scaled(const std::optional<double>& value, const Scale& scale) {
  return value ? Cell(*value * scale.factor) : Cell();
}

std::size_t rows_of_table(const Source& source) {
  constexpr std::size_t least_rows_of_table = 24;
  return std::max(least_rows_of_table, most_rows / std::max<std::size_t>(1, source.benchmarks.size()));
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : between) + one;
  return text;
}

/// "61 of 396 points in doubt", of those that a summary is made of; empty if none is.
std::string doubted(const record::Run& run, std::string_view suite) {
  analysis::Warnings warnings;
  for (const auto& point : run.points)
    if (point.suite == suite) warnings.point(point);
  const auto [doubtful, points] = warnings.points_in_doubt();
  return doubtful == 0 ? ""
                       : std::to_string(doubtful) + " of " + units::counted(points, "point") + " in doubt";
}

std::string standing(const record::SummaryRecord& summary) {
  std::string text;
  if (summary.official)
    text = *summary.official ? "official" : "not official: " + joined(summary.not_official_because, "; ");
  if (summary.verified == false) text += (text.empty() ? "" : ". ") + std::string("a verification failed");
  if (summary.inputs_missing > 0)
    text += (text.empty() ? "" : ". ") + units::counted(summary.inputs_missing, "point") + " missing";
  return text;
}

/// Doubt about a value of a summary; empty if it is no quantity of the balance.
std::string doubt(const balance::System& system, std::string_view name) {
  const auto quantity = balance::quantity_of_summary(name);
  return quantity ? balance::doubt_words(system, *quantity) : "";
}

/// What tells a summary from others of its name in the same run, as of other partitions: ", 4 processes"; empty if it is
/// the only one.
std::string told_apart(const record::SummaryRecord& summary, const record::Run& run) {
  std::size_t alike = 0, as_large = 0, place = 0;
  for (const auto& one : run.summaries) {
    if (one.name != summary.name) continue;
    ++alike;
    if (one.processes == summary.processes) ++as_large;
    if (&one == &summary) place = as_large;
  }
  if (alike < 2) return "";
  return ", " + units::counted(summary.processes, "process", "processes") +
         (as_large > 1 ? " (" + std::to_string(place) + ")" : "");
}

/// Values of a summary of one run, each in a readable unit.
Section summary_section(const std::string& run, const record::SummaryRecord& summary,
                        const balance::System& system, const std::string& title) {
  Section section{"summary", title, {}, {"summary", {}, {}, "value"}, {}};
  section.table.columns = {{"run", "run", "", ColumnKind::text, analysis::Audience::programs},
                           {"summary", "summary", "", ColumnKind::text, analysis::Audience::programs},
                           {"name", "value of", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"doubt", "", "", ColumnKind::text},
                           {"meaning", "", "", ColumnKind::text, analysis::Audience::readers}};
  for (const auto& [name, metric] : summary.values) {
    const auto value = value_of(metric);
    const Scale scale = scale_of(record::unit_of(name), value.value_or(0));
    const auto* known = record::metric_name(name);
    section.table.rows.push_back({run, summary.name, name, value ? Cell(*value * scale.factor) : Cell(),
                                  scale.unit, value ? doubt(system, name) : "",
                                  known == nullptr ? std::string() : std::string(known->definition)});
  }
  if (const std::string text = standing(summary); !text.empty()) section.notes.push_back(text);
  return section;
}

void add_summaries(const Source& source, auto is_mine, Part& part) {
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto is_told = [&](const record::SummaryRecord& summary) {
      return is_mine(summary.suite) && !summary.values.empty();
    };
    if (std::ranges::none_of(runs[i].summaries, is_told)) continue;
    const balance::System system = balance::system_of_run(runs[i], source.points->states(i));
    for (const auto& summary : runs[i].summaries) {
      if (!is_told(summary)) continue;
      const auto title =
          summary.name + told_apart(summary, runs[i]) + (runs.size() > 1 ? " of " + source.names[i] : "");
      part.shown.push_back(summary_section(source.names[i], summary, system, title));
      if (std::string text = doubted(runs[i], summary.suite); !text.empty())
        part.shown.back().notes.push_back(std::move(text));
    }
  }
}

void add_tables(const Source& source, auto is_mine, Part& part) {
  for (const Benchmark& one : source.benchmarks)
    if (is_mine(one.suite)) part.folded.push_back(benchmark_table(source, one, rows_of_table(source)));
}

using AddTables = void (*)(const Source& source, Part& part);

Part part_of(const Source& source, std::string_view id, std::string_view title, std::string_view charts,
             AddTables add_own, auto is_mine) {
  Part part{std::string(id), std::string(title), {}, {}, std::string(charts)};
  add_summaries(source, is_mine, part);
  if (add_own != nullptr) add_own(source, part);
  add_tables(source, is_mine, part);
  return part;
}

void add_beff_tables(const Source& source, Part& part) {
  std::ranges::move(beff_tables(source), std::back_inserter(part.folded));
}
void add_io_tables(const Source& source, Part& part) {
  std::ranges::move(io_tables(source), std::back_inserter(part.folded));
}
void add_message_tables(const Source& source, Part& part) {
  if (auto table = message_rate_table(source); !table.table.rows.empty())
    part.folded.push_back(std::move(table));
  if (auto table = synchronisation_table(source); !table.table.rows.empty())
    part.folded.push_back(std::move(table));
  std::ranges::move(comparison_tables(source), std::back_inserter(part.folded));
}
void add_blas_table(const Source& source, Part& part) {
  if (auto table = blas_table(source)) part.shown.push_back(std::move(*table));
}

void add_screenings(const Source& source, Part& part) {
  constexpr std::size_t most_nodes = 200;
  for (std::size_t i = 0; i < source.screenings.size(); ++i) {
    const auto& screening = source.screenings[i];
    if (!screening) continue;
    const auto named = [&](Section section) {
      section.title += ", " + source.names[i];
      return section;
    };
    for (Section& section : screening::tables(*screening)) part.shown.push_back(named(std::move(section)));
    if (!screening->measured.nodes.empty())
      part.folded.push_back(named(screening::nodes_table(*screening, most_nodes)));
  }
}

/// Suites of a kind, which suites/suite_list.hpp names.
struct Family {
  std::string_view id, title, charts;
  AddTables add_own;  // tables that show more than points; nullptr: none
};
constexpr std::array families = std::to_array<Family>({
    {"messages", "Latency and bandwidth", "curves", add_message_tables},
    {"b_eff", "Effective bandwidth (b_eff)", "beff", add_beff_tables},
    {"io", "Parallel I/O", "io", add_io_tables},
    {"hpcc", "HPC Challenge", "", add_blas_table},
    {"screen", "Nodes and links", "nodes", add_screenings},
});

/// Family that a suite stands in, empty if it has a part of its own: other programs' tests of files stand beside ours.
std::string_view family_of(std::string_view suite) {
  constexpr std::string_view of_files[] = {"ior", "mdtest", "fio"};
  if (std::ranges::find(of_files, suite) != std::end(of_files)) return "io";
  const std::string_view family = suites::suite_entry(suite).family;
  return std::ranges::find(families, family, &Family::id) == families.end() ? "" : family;
}

/// A word that may stand in an attribute.
std::string plain(std::string_view suite) {
  std::string text = "suite-";
  for (const char c : suite) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return text;
}

std::vector<std::string> other_suites(const Source& source) {
  std::vector<std::string> list;
  const auto add = [&](const std::string& suite) {
    if (!suite.empty() && family_of(suite).empty() && std::ranges::find(list, suite) == list.end())
      list.push_back(suite);
  };
  for (const Benchmark& one : source.benchmarks) add(one.suite);
  for (const auto& run : source.input.runs)
    for (const auto& summary : run.summaries) add(summary.suite);
  return list;
}

/// How many intervals tell only of the moments at which they were measured; empty if none does.
std::string short_intervals(const Benchmark& benchmark) {
  const auto is_short = [](const Row* row) {
    return row->low && (record::has_flag(*row->point, "few_visits") ||
                        record::has_flag(*row->point, "single_state_short"));
  };
  const auto found = static_cast<std::size_t>(std::ranges::count_if(benchmark.rows, is_short));
  return found == 0
             ? ""
             : std::to_string(found) + " of " + units::counted(benchmark.rows.size(), "point") +
                   " looked at fewer than six times: the interval tells little about what changes slowly";
}

/// Statistic that all values of a benchmark of HPC Challenge are, where no column tells it.
std::string told_statistic(const Benchmark& benchmark, const Shape& shape) {
  if (shape.imported || benchmark.suite != hpcc::suite_name) return {};
  const std::string words(hpcc::statistic_of(benchmark.name));
  return words.empty() ? "" : "value: " + words;
}

/// How the points of a benchmark were timed, "max over ranks, back to back"; with numbers of points if not all alike. Empty
/// if it is not told.
std::string timings(const Benchmark& benchmark) {
  std::vector<std::pair<std::string, std::size_t>> seen;
  for (const Row* row : benchmark.rows) {
    std::string words = record::timing_words(*row->point);
    const auto found = std::ranges::find(seen, words, &std::pair<std::string, std::size_t>::first);
    if (!words.empty()) ++(found == seen.end() ? seen.emplace_back(std::move(words), 0) : *found).second;
  }
  if (seen.empty()) return {};
  if (seen.size() == 1) return "timed: " + seen.front().first;
  std::vector<std::string> words;
  for (const auto& [how, points] : seen) words.push_back(how + " (" + units::counted(points, "point") + ")");
  return "timed: " + joined(words, "; ");
}

}  // namespace

Section benchmark_table(const Source& source, const Benchmark& benchmark, std::size_t most) {
  const Shape shape = shape_of(benchmark);
  const Scale scale = scale_of(record::unit_of(benchmark.metric), shape.largest),
              rate = scale_of("byte/s", shape.largest_rate);
  Section section = analysis::table_section("points", title(benchmark));
  section.table.columns = columns(shape, benchmark, scale, rate);
  const auto kept = evenly(benchmark.rows.size(), most);
  for (const std::size_t i : kept) {
    const Row& row = *benchmark.rows[i];
    section.table.rows.push_back({source.names[row.run], std::string(row.key), row.point->processes,
                                  std::string(row.variant), Cell::whole(row.length_byte),
                                  scaled(row.median, scale), statistic(*row.point), scaled(row.low, scale),
                                  scaled(row.high, scale), scaled(row.p99, scale), Cell::whole(row.n),
                                  scaled(row.byte_s, rate), analysis::standing_in_words(*row.point)});
  }
  if (kept.size() < benchmark.rows.size())
    section.notes.push_back(std::to_string(kept.size()) + " of " + std::to_string(benchmark.rows.size()) +
                            " points, evenly thinned; 'steelyard export --to csv' writes all");
  for (std::string told : {told_statistic(benchmark, shape), timings(benchmark), short_intervals(benchmark)})
    if (!told.empty()) section.notes.push_back(std::move(told));
  return section;
}

std::optional<screening::Screening> screening_of(const record::Run& run) {
  if (std::ranges::none_of(run.tables, [](const auto& table) { return table.suite == screen::suite_name; }))
    return std::nullopt;
  try {
    return screening::judged(run);
  } catch (const screening::Unjudgeable&) {  // its tables hold no value
    return std::nullopt;
  }
}

std::string part_of_suite(std::string_view suite) {
  const auto family = family_of(suite);
  return family.empty() ? plain(suite) : std::string(family);
}

std::vector<Part> suite_parts(const Source& source) {
  std::vector<Part> list;
  for (const Family& family : families)
    list.push_back(part_of(source, family.id, family.title, family.charts, family.add_own,
                           [&](const std::string& suite) { return family_of(suite) == family.id; }));
  for (const std::string& suite : other_suites(source))
    list.push_back(part_of(source, plain(suite), suite, "curves", nullptr,
                           [&](const std::string& s) { return s == suite; }));
  return list;
}

}  // namespace steelyard::report
