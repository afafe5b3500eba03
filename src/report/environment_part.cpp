// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>

#include "record/clipped.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"
#include "report/chart_tables.hpp"
#include "report/rows.hpp"
#include "report/sections.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

std::string memory_size(const record::Document& machine) {
  const Json& json = machine.json();
  if (!json.is_object() || !json.contains("memory_byte") || !json["memory_byte"].is_number()) return {};
  return units::format_rounded_size(json["memory_byte"].get<double>());
}

bool is_imported(const record::Run& run) {
  return !run.head.imported.json().is_null();
}

std::string elapsed(const record::Run& run) {
  if (is_imported(run)) return "not known";
  return run.end ? std::to_string(record::clipped<std::int64_t>(run.end->elapsed_s)) + " s"
                 : std::string("no end record");
}

std::string hosts_at(const record::Whereabouts& where) {
  const Json* found = where.layout.at_pointer("/hosts");
  return found == nullptr ? std::string() : text_of(*found);
}

/// Hosts of a run; where a resume went to others, those of each session: "session 1: a b; sessions 2 to 3: c d".
std::string hosts_of_sessions(const record::Run& run) {
  struct Stay {
    int first, last;
    std::string hosts;
  };
  std::vector<Stay> stays;
  const auto add = [&stays](int last, const record::Whereabouts& where) {
    std::string here = hosts_at(where);
    if (!stays.empty() && stays.back().hosts == here)
      stays.back().last = last;
    else
      stays.push_back({stays.empty() ? 1 : stays.back().last + 1, last, std::move(here)});
  };
  for (const auto& one : run.earlier) add(one.last, one);
  add(run.head_session, run.head);
  if (stays.size() == 1) return stays.front().hosts;
  std::string text;
  for (const auto& [first, last, names] : stays) {
    const std::string number = std::to_string(first);
    text += (text.empty() ? "" : "; ") +
            (first == last ? "session " + number : "sessions " + number + " to " + std::to_string(last)) +
            ": " + (names.empty() ? "not known" : names);
  }
  return text;
}

struct Fact {
  const char* title;
  std::string (*value)(const record::Run&);
};
using Run = record::Run;
constexpr auto facts = std::to_array<Fact>({
    {"run", [](const Run& run) { return run.id; }},
    {"started", [](const Run& run) { return run.head.started_utc; }},
    {"took", elapsed},
    {"command", [](const Run& run) { return units::in_shell(run.head.command); }},
    {"program",
     [](const Run& run) { return at(run.head.program, "/version") + ' ' + at(run.head.program, "/commit"); }},
    {"compiler",
     [](const Run& run) {
       return at(run.head.program, "/build/compiler") + ' ' + at(run.head.program, "/build/flags");
     }},
    {"processes", [](const Run& run) { return std::to_string(run.head.processes); }},
    {"threads a process", [](const Run& run) { return std::to_string(run.head.threads_per_process); }},
    {"nodes", [](const Run& run) { return run.head.nodes < 1 ? "not known" : std::to_string(run.head.nodes); }},
    {"text of", [](const Run& run) { return at(run.head.imported, "/program") + ' ' + at(run.head.imported, "/release"); }},
    {"file", [](const Run& run) { return at(run.head.imported, "/files/0/name"); }},
    {"digest of the file", [](const Run& run) { return at(run.head.imported, "/files/0/sha256"); }},
    {"start taken from", [](const Run& run) { return at(run.head.imported, "/started_from"); }},
    {"told", [](const Run& run) { return at(run.head.imported, "/told"); }},
    {"assumed", [](const Run& run) { return at(run.head.imported, "/assumed"); }},
    {"hosts", hosts_of_sessions},
    {"binding", [](const Run& run) { return at(run.head.layout, "/binding"); }},
    {"MPI library", [](const Run& run) { return at(run.head.mpi, "/library"); }},
    {"processor", [](const Run& run) { return at(run.head.machine, "/processor"); }},
    {"sockets", [](const Run& run) { return at(run.head.machine, "/sockets"); }},
    {"cores", [](const Run& run) { return at(run.head.machine, "/cores"); }},
    {"threads a core", [](const Run& run) { return at(run.head.machine, "/threads_per_core"); }},
    {"memory of a node", [](const Run& run) { return memory_size(run.head.machine); }},
    {"operating system",
     [](const Run& run) {
       return at(run.head.machine, "/uname/sysname") + ' ' + at(run.head.machine, "/uname/release");
     }},
    {"hypervisor", [](const Run& run) { return at(run.head.machine, "/virtualisation/hypervisor"); }},
    {"container", [](const Run& run) { return at(run.head.machine, "/container/kind"); }},
    {"frequency policy", [](const Run& run) { return at(run.head.machine, "/governor"); }},
    {"BLAS",
     [](const Run& run) {
       return at(run.head.blas, "/used/library") + ' ' + at(run.head.blas, "/used/version") + ' ' +
              at(run.head.blas, "/used/kernel");
     }},
    {"BLAS as linked",
     [](const Run& run) {
       return at(run.head.libraries, "/blas/name") + ' ' + at(run.head.libraries, "/blas/version") + ' ' +
              at(run.head.libraries, "/blas/kernel");
     }},
    {"FFT", [](const Run& run) { return at(run.head.libraries, "/fft/version"); }},
    {"files", [](const Run& run) { return at(run.head.io, "/type"); }},
    {"job", [](const Run& run) { return text_of(run.head.job.json()); }},
});

Section main_facts(const Source& source) {
  Section section = analysis::table_section("environment", "", {{"what", "", "", ColumnKind::text}});
  for (const std::string& name : source.names)
    section.table.columns.push_back({name, name, "", ColumnKind::text});
  for (const Fact& fact : facts) {
    std::vector<Cell> row{fact.title};
    bool any = false;
    for (const Run& run : source.input.runs) {
      std::string value = fact.value(run);
      any = any || value.find_first_not_of(' ') != std::string::npos;
      row.emplace_back(std::move(value));
    }
    if (any) section.table.rows.push_back(std::move(row));
  }
  return section;
}

/// Names and values of everything below `json`, in their order; what no reader wants in a page is left out.
void flatten(const Json& json, const std::string& path,
             const std::function<void(const std::string&, std::string)>& add) {
  constexpr std::array<std::string_view, 2> silent = {"topology", "vector_flags"};
  if (!json.is_object()) {
    if (!json.is_null()) add(path, text_of(json));
    return;
  }
  for (const auto& [name, value] : json.items())
    if (std::ranges::find(silent, name) == silent.end())
      flatten(value, path.empty() ? name : path + '.' + name, add);
}

Section recorded(const std::string& name, const Run& run) {
  Section section = analysis::table_section("recorded", "Everything recorded of " + name);
  section.table.columns = {{"run", "run", "", ColumnKind::text, analysis::Audience::programs},
                           {"name", "name", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::text}};
  const auto add = [&](const std::string& path, std::string value) {
    section.table.rows.push_back({name, path, std::move(value)});
  };
  const auto& head = run.head;
  for (const auto& [label, value] : head.labels) add("labels." + label, value);
  const std::pair<const char*, const record::Document*> documents[] = {
      {"program", &head.program}, {"config", &head.config},
      {"layout", &head.layout},   {"machine", &head.machine},
      {"mpi", &head.mpi},         {"libraries", &head.libraries},
      {"blas", &head.blas},       {"io", &head.io},
      {"job", &head.job},         {"environment", &head.environment},
      {"clock", &head.clock},     {"noise", &head.noise}};
  for (const auto& [path, document] : documents) flatten(document->json(), path, add);
  add("plan.points", std::to_string(head.plan_points));
  add("plan.hash", head.plan_hash);
  return section;
}

Section method(const Source& source) {
  Section section{
      "method",
      "How to read the numbers",
      {"A value is the median over timed batches of operations; its interval holds the median with 95 % "
       "probability. "
       "'99 %' is the time that one batch in a hundred exceeds. The time of a batch is that of its "
       "slowest process, "
       "unless a point says otherwise.",
       "Values of experiments, as HPC Challenge, b_eff and FTIO, are single numbers and no medians of batches: what their "
       "definitions count, as the best pass of STREAM.",
       "Of a run's own repetitions follows how well it repeats itself, not how another launch would turn "
       "out: "
       "'steelyard compare' with several launches a side tells that.",
       "1 kB = 1000 B, 1 KiB = 1024 B. Units with k, M, G, T are powers of 1000."}};
  if (std::ranges::any_of(source.input.runs, is_imported))
    section.text.insert(
        section.text.begin() + 1,
        "Values from texts of other programs are what these printed, without intervals; which "
        "statistic that is stands beside them.");
  return section;
}

Json member(const Json& object, const char* name) {
  return object.is_object() ? object.value(name, Json()) : Json();
}

std::string library(const Json& blas) {
  const auto version = record::text_in(blas, "version");
  return record::text_in(blas, "library") + (version.empty() ? "" : " " + version);
}

/// Remark on a library that was tried, "used" or "as linked"; or why it was left out.
std::string remark(const Json& one, const Json& blas) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  if (one == member(blas, "used")) add("used");
  if (record::text_in(one, "choice") == "as linked") add("as linked");
  if (const auto why = record::text_in(one, "why"); !why.empty()) add("left out: " + why);
  return text;
}

/// Whether this library was tried with this kernel, under whichever name it was found.
bool was_tried(const Json& candidate, const Json& blas) {
  const Json tried = member(blas, "tried");
  return std::ranges::any_of(tried, [&](const Json& one) {
    return library(one) == library(candidate) &&
           record::text_in(one, "kernel") == record::text_in(candidate, "kernel");
  });
}

void add_rows(const std::string& run, const Json& blas, Section& section) {
  constexpr double gflop_s = 1e9;
  for (const char* list : {"tried", "refused", "not_tried"})
    for (const auto& one : member(blas, list)) {
      const auto rate = record::number_in(one, "flop_s");
      const bool untried = std::string_view(list) == "not_tried";
      if (untried && was_tried(one, blas)) continue;
      section.table.rows.push_back({run, library(one), record::text_in(one, "kernel"),
                                    rate ? Cell(*rate / gflop_s) : Cell(),
                                    untried ? "not tried for want of time" : remark(one, blas)});
    }
}

}  // namespace

Part environment_part(const Source& source) {
  Part part{"environment", "Environment and method", {}, {}, {}};
  if (!source.input.runs.empty()) part.shown.push_back(main_facts(source));
  part.shown.push_back(method(source));
  for (std::size_t i = 0; i < source.input.runs.size(); ++i)
    part.folded.push_back(recorded(source.names[i], source.input.runs[i]));
  return part;
}

std::optional<Section> blas_table(const Source& source) {
  Section section =
      analysis::table_section("blas", "BLAS libraries and kernels in a trial before DGEMM and HPL");
  const bool several = source.input.runs.size() > 1;
  section.table.columns = {
      {"run", "run", "", ColumnKind::text, several ? analysis::Audience::all : analysis::Audience::programs},
      {"library", "library", "", ColumnKind::text},
      {"kernel", "kernel", "", ColumnKind::text},
      {"rate", "rate of a process", "Gflop/s", ColumnKind::number},
      {"remark", "", "", ColumnKind::text}};
  for (std::size_t i = 0; i < source.input.runs.size(); ++i)
    add_rows(source.names[i], source.input.runs[i].head.blas.json(), section);
  if (section.table.rows.empty()) return std::nullopt;
  section.notes = {
      "Short products of small matrices, each in a process of its own: they choose, DGEMM measures."};
  return section;
}

// Noise and clocks: what disturbed the runs.

namespace {

/// Rows of a table of what the charts show over time.
constexpr std::size_t most_noise_rows = 160;

struct Entry {
  const char *pointer, *title, *unit;  // "s": a time, shown in the unit that fits the longest of the row
  double scale;
  bool of_least = false;  // recorded over the least time; shown as a share of the whole time
};
constexpr auto noise_entries = std::to_array<Entry>({
    {"/work_s", "work of one quantum", "s", 1},
    {"/fixed_work/median_s", "median time of the same work", "s", 1},
    {"/fixed_work/p99_s", "99 %", "s", 1},
    {"/fixed_work/p999_s", "99.9 %", "s", 1},
    {"/fixed_work/max_s", "longest", "s", 1},
    {"/p99_over_median", "99 % over median", "", 1},
    {"/noise", "time lost, worst process", "%", 100, true},
    {"/median_over_ranks/noise", "time lost, median process", "%", 100, true},
    {"/detour_share", "time in interruptions", "%", 100},
    {"/detour_rate_hz", "interruptions a second", "1/s", 1},
    {"/detour_max_s", "longest interruption", "s", 1},
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
  Section section = analysis::table_section(id, title, {{"what", "what", "", ColumnKind::text}});
  for (const std::string& name : source.names)
    section.table.columns.push_back({name, name, "", ColumnKind::number});
  section.table.columns.push_back({"unit", "unit", "", ColumnKind::text});
  for (const Entry& entry : entries) {
    std::vector<std::optional<double>> values;
    std::optional<double> largest;
    for (const auto& run : source.input.runs)
      largest = std::max(largest, values.emplace_back(number_at((run.head.*member).json(), entry.pointer)));
    if (!largest) continue;
    const bool time = entry.unit == std::string_view("s");
    const Scale scale = time ? scale_of(entry.unit, *largest) : Scale{1, entry.unit};
    std::vector<Cell> row{entry.title};
    for (const auto& value : values)
      row.push_back(value ? Cell(shown(entry, *value) * scale.factor) : Cell());
    row.emplace_back(scale.unit);
    section.table.rows.push_back(std::move(row));
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
