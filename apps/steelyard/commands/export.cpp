// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include "commands/program.hpp"
#include "exports/formats.hpp"
#include "input/foreign_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// suite/benchmark of every point that --select lets through; nullopt: all.
std::optional<std::set<std::string>> chosen_names(const Values& values, const Exported& all) {
  const std::vector<std::string> patterns = values.list("select");
  if (patterns.empty()) return std::nullopt;
  std::set<std::string> foreign;
  all.each_record({}, [&foreign](record::Record&& record, auto) {
    if (const auto* point = std::get_if<record::PointRecord>(&record.body)) add_foreign_name(*point, foreign);
  });
  return selected_names(patterns, foreign);
}

constexpr std::size_t names_length = [] {
  std::size_t length = export_formats.size() - 1;
  for (const ExportFormat& format : export_formats) length += format.name.size();
  return length;
}();
// Names of all formats with blanks between, as words of an option.
constexpr std::array<char, names_length> joined_names = [] {
  std::array<char, names_length> joined{};
  auto to = joined.begin();
  for (const ExportFormat& format : export_formats) {
    if (to != joined.begin()) *to++ = ' ';
    to = std::ranges::copy(format.name, to).out;
  }
  return joined;
}();

const ExportFormat& wanted_format(const Values& values) {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : export_formats) names.push_back(format.name);
  if (const auto word = values.word("to"))
    return *std::ranges::find(export_formats, units::parse_word(*word, names), &ExportFormat::name);
  if (values.said("textfile")) return *std::ranges::find(export_formats, "prometheus", &ExportFormat::name);
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  throw UsageError("--to: is missing; formats are " + list);
}

/// A file and variables hold settings of many calls, also those of other formats, which have no effect then.
void refuse_options_of_other_formats(const Values& values, const ExportFormat& wanted) {
  for (const ExportFormat& format : export_formats)
    if (!format.option.empty() && values.typed(format.option) && format.name != wanted.name)
      throw UsageError("--" + std::string(format.option) + ": belongs to --to " + std::string(format.name));
  const bool monitoring = wanted.write == export_monitoring;
  if (values.said("all") && !monitoring)
    throw UsageError("--all: belongs to --to prometheus and --to openmetrics");
  if (values.said("textfile") && wanted.name != "prometheus")
    throw UsageError("--textfile: belongs to --to prometheus");
  if (values.said("textfile") && values.said("output"))
    throw UsageError("--textfile: is a place; --output is none beside it");
  if (values.said("select") && wanted.whole)
    throw UsageError("--select: what --to " + std::string(wanted.name) +
                     " writes shows the whole experiment");
}

int run_export(const Invocation& invocation) {
  const Values& values = invocation.values;
  const auto input = values.word("input");
  if (!input) throw UsageError("an INPUT is missing: a result directory, a result.jsonl, or -");
  const ExportFormat& format = wanted_format(values);
  refuse_options_of_other_formats(values, format);
  Exported::Input what{.file = *input, .choice = record::parse_run_choice(values.word_or("run", "last"))};
  hold_input(*input);
  if (is_foreign_file(*input))
    what.foreign = content_of(foreign_runs(*input, description_of(values, *input)));
  else if (*input == "-" && !values.list("select").empty())
    what.foreign = record::read(*input, what.choice);  // held, as it is walked through twice
  what.tells = false;
  what.names = chosen_names(values, Exported(what, format.name));
  what.tells = true;
  what.verbose = values.on("verbose");
  format.write({std::move(what), format.name}, values);
  return exit_code::done;
}

constexpr Option export_options[] = {
    {"to", Kind::word, "what to write", Argument{"FORMAT"},
     OneOf{{joined_names.data(), joined_names.size()}}},
    {"output", Kind::file,
     "where to write; - is standard output; for b-eff and b-eff-io the prefix of the files, for gnuplot a "
     "directory",
     'o', FallbackText{"standard output; b_eff for b-eff, b_eff_io for b-eff-io"}},
    {"overwrite", "replace existing files"},
    {"select", Kind::pattern, "only these benchmarks", Repeat::many},
    {"run", Kind::text, "which run of the file: last, first, all, or a run's id", Argument{"WHICH"},
     Fallback{"last"}},
    {"metrics", Kind::word, "csv: one row per point and metric, or the primary metric only", Fallback{"all"},
     OneOf{"all primary"}},
    {"imb-version", Kind::word, "imb: rules of head and Mbyte column", Argument{"VERSION"},
     FallbackText{"as the run was made"}, OneOf{"3.1 2021"}},
    {"hpl-version", Kind::word, "hpl: form of the table; 2.0 is that of hpccoutf.txt", Argument{"VERSION"},
     Fallback{"2.3"}, OneOf{"2.0 2.3"}},
    {"textfile", Kind::file,
     "prometheus: write this file for the file collector of a node exporter, whole and renamed into place"},
    {"all", "prometheus, openmetrics: more than 1000 series of points that --select names"},
    {"partial",
     "write what there is if the run has not come to its end; csv, json, hpl and gnuplot always do"},
};
constexpr Group export_groups[] = {{"Export", export_options}, foreign_group};
constexpr std::string_view export_examples[] = {
    "steelyard export steelyard-results/first --to csv -o first.csv",
    "steelyard export steelyard-results/first --to imb",
    "steelyard export b_eff-results --to b-eff -o again",
    "steelyard export hpcc-results --to hpcc -o hpccoutf.txt",
    "steelyard export results --textfile /var/lib/node_exporter/steelyard.prom",
    "steelyard export - --to json < result.jsonl"};
constexpr int export_codes[] = {0, 2, 4};

}  // namespace

constinit const Command export_command{
    .name = "export",
    .section = "Read results",
    .summary = "tables and historical texts from a result file",
    .description =
        "Writes the records of a run in another form: csv has one row per point and metric; json is one "
        "document for tools without JSON Lines; imb is the text of the IMB programs; b-eff is the six files "
        "of b_eff, b-eff-io the four files of b_eff_io; ftio is the report of FTIO; hpcc is hpccoutf.txt, "
        "hpl the text of HPL, hpccinf the input file of the run; prometheus and openmetrics are figures of merit, and "
        "points that --select names, for monitoring systems.",
    .positional =
        {"INPUT", Kind::file, Repeat::once,
         "a result directory, a result.jsonl (.gz), a text of another program, or - for standard input"},
    .groups = export_groups,
    .examples = export_examples,
    .exit_codes = export_codes,
    .see_also = "steelyard help run",
    .run = run_export};

}  // namespace steelyard::cli
