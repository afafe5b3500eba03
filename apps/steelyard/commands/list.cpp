// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "commands/program.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "record/value.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

struct Row {
  const suites::Suite* suite;
  const suites::BenchmarkInfo* benchmark;
};

bool selected(const std::vector<campaign::Selected>& chosen, const suites::Suite& suite,
              std::string_view name) {
  return std::any_of(chosen.begin(), chosen.end(),
                     [&](const campaign::Selected& s) { return s.suite == &suite && s.benchmark == name; });
}

// Benchmarks that the patterns select; without patterns every one, also those outside the default sets.
std::vector<Row> rows(const std::vector<const suites::Suite*>& suites,
                      const std::vector<std::string>& patterns) {
  const auto chosen = campaign::select(patterns, {}, suites);
  std::vector<Row> out;
  for (const suites::Suite* suite : suites)
    for (const suites::BenchmarkInfo& info : suite->catalogue())
      if (patterns.empty() || selected(chosen, *suite, info.name)) out.push_back({suite, &info});
  return out;
}

std::string full_name(const Row& row) {
  return std::string(row.suite->name()) + '/' + std::string(row.benchmark->name);
}

bool can_measure() {
  return commands().measures();
}

void print_short(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::string name = full_name(row);
    name.resize(std::max<std::size_t>(name.size(), 36), ' ');
    std::cout << name << ' ' << row.benchmark->classification
              << (row.benchmark->in_default ? "" : "  (only by name)") << '\n';
  }
}

void print_long(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    std::cout << full_name(row) << '\n'
              << "  class       " << row.benchmark->classification << '\n'
              << "  processes   at least " << row.benchmark->min_processes << '\n'
              << "  sizes       " << row.benchmark->sizes << '\n'
              << "  metrics     " << row.benchmark->metrics << '\n'
              << "  source      " << row.benchmark->source << '\n'
              << (row.benchmark->condition.empty()
                      ? ""
                      : "  stands for the machine from   " + std::string(row.benchmark->condition) + "\n")
              << "  default     " << (row.benchmark->in_default ? "yes" : "no, only by name") << '\n'
              << "  this build  " << (can_measure() ? "measures it" : "cannot measure it: no MPI") << '\n';
}

void print_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows)
    list.push_back({{"suite", row.suite->name()},
                    {"benchmark", row.benchmark->name},
                    {"class", row.benchmark->classification},
                    {"min_processes", row.benchmark->min_processes},
                    {"sizes", row.benchmark->sizes},
                    {"metrics", row.benchmark->metrics},
                    {"source", row.benchmark->source},
                    {"condition", row.benchmark->condition},
                    {"in_default", row.benchmark->in_default},
                    {"measurable", can_measure()}});
  std::cout << list.dump(2) << '\n';
}

Json preset_json(const Preset& preset) {
  Json words = Json::object();
  for (const PresetWord& word : preset.words) words[std::string(word.option)] = word.word;
  return {{"name", preset.name},
          {"summary", preset.summary},
          {"duration", preset.duration},
          {"select", std::vector<std::string_view>(preset.select.begin(), preset.select.end())},
          {"options", words}};
}

void print_presets_json() {
  Json list = Json::array();
  for (const Preset& preset : presets()) list.push_back(preset_json(preset));
  std::cout << list.dump(2) << '\n';
}

void print_presets() {
  for (const Preset& preset : presets()) {
    std::cout << preset.name << ": " << preset.summary << " (" << preset.duration << ")\n  selects";
    for (const std::string_view pattern : preset.select) std::cout << ' ' << pattern;
    std::cout << '\n';
    for (const PresetWord& word : preset.words)
      std::cout << "  --" << word.option << ' ' << word.word << '\n';
  }
}

void refuse_several(const Values& values) {
  const int said =
      (values.on("long") ? 1 : 0) + (values.on("presets") ? 1 : 0) + (values.on("names") ? 1 : 0);
  if (said > 1) throw UsageError("--long, --presets and --names exclude each other");
}

int run_list(const Invocation& invocation) {
  const Values& values = invocation.values;
  refuse_several(values);
  const bool json = values.word("format") == "json";
  if (values.on("presets")) {
    json ? print_presets_json() : print_presets();
    return exit_code::done;
  }
  const auto all = suites::definitions();
  const auto list = rows(suites::pointers(all), values.list("pattern"));
  if (json)
    print_json(list);
  else if (values.on("names"))
    for (const Row& row : list) std::cout << full_name(row) << '\n';
  else
    values.on("long") ? print_long(list) : print_short(list);
  std::cout << std::flush;
  return exit_code::done;
}

constexpr Option list_options[] = {
    {"long", "class, processes, sizes, metrics, source, and whether this build can measure it"},
    {"presets", "the presets of 'run' with their selections and options"},
    {"names", "bare names, one per line"},
    {"format", Kind::word, "form of the answer", Fallback{"text"}, OneOf{"text json"}},
};
constexpr Group list_groups[] = {{"List", list_options}};
constexpr std::string_view list_examples[] = {"steelyard list", "steelyard list --long imb-mpi1/PingPong",
                                              "steelyard list --presets"};
constexpr int list_codes[] = {0, 2};

}  // namespace

constinit const Command list_command{
    .name = "list",
    .section = "This machine",
    .summary = "the benchmarks of this program, and the presets",
    .description =
        "Lists benchmarks: all of them, or those that match a PATTERN such as 'imb-mpi1' or "
        "'imb-mpi1/All*'. A suite's name alone stands for its default set.",
    .positional = {"PATTERN", Kind::pattern, Repeat::many,
                   "suite, suite/benchmark, with * ? and [abc]; any case"},
    .groups = list_groups,
    .examples = list_examples,
    .exit_codes = list_codes,
    .see_also = "steelyard help run",
    .run = run_list};

}  // namespace steelyard::cli
