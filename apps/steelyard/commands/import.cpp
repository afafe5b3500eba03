// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <vector>

#include "analysis/tables.hpp"
#include "commands/program.hpp"
#include "foreign/foreign.hpp"
#include "formats/tables/tables.hpp"
#include "input/foreign_input.hpp"
#include "input/text_file.hpp"
#include "options/checks.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

/// One file as it was read, or the reason why it was not.
struct ImportedFile {
  std::string file;
  foreign::Reading reading;
  std::string refused;   // empty: it was read
  bool unknown = false;  // no known program wrote it
};

using PlanRow = std::vector<analysis::Cell>;

/// Runs of one program and release in one file.
struct PlannedOutput {
  std::string format, program;
  std::size_t runs = 0, points = 0, failed = 0;
  bool without_nodes = false, without_mpi = false, undated = false, cut = false;
  std::set<std::string> parameters = {}, assumed = {};
};

std::string program_words(const record::Json& imported) {
  const std::string release = record::text_in(imported, "release"),
                    variant = record::text_in(imported, "variant");
  return record::text_in(imported, "program") + (release.empty() ? "" : ' ' + release) +
         (variant.empty() ? "" : ' ' + variant);
}

void add_unknown_parameters(const record::PointRecord& point, std::set<std::string>& names) {
  const record::Json& json = point.imported.json();
  if (!json.is_object() || !json.contains("unknown_params")) return;
  for (const record::Json& name : json["unknown_params"]) names.insert(name.get<std::string>());
}

void count_run(const record::Run& run, PlannedOutput& output) {
  const record::Json& imported = run.head.imported.json();
  ++output.runs;
  output.points += run.points.size();
  output.without_nodes |= run.head.nodes == 0;
  output.without_mpi |= run.head.mpi.empty();
  const std::string started = record::text_in(imported, "started_from");
  output.undated |= started == "file_time" || started == "unknown";
  output.cut |= !run.end;
  if (imported.contains("assumed"))
    for (const auto& [name, why] : imported["assumed"].items()) output.assumed.insert(name);
  for (const record::PointRecord& point : run.points) {
    output.failed += point.status == record::Status::failed ? 1 : 0;
    add_unknown_parameters(point, output.parameters);
  }
}

std::vector<PlannedOutput> planned_outputs(const foreign::Reading& reading) {
  std::vector<PlannedOutput> outputs;
  for (const record::Run& run : reading.runs) {
    const record::Json& imported = run.head.imported.json();
    const std::string program = program_words(imported);
    auto found = std::ranges::find(outputs, program, &PlannedOutput::program);
    if (found == outputs.end())
      found = outputs.insert(outputs.end(), PlannedOutput{record::text_in(imported, "format"), program});
    count_run(run, *found);
  }
  return outputs;
}

/// List of what the text does not say; assumed values are marked.
std::string missing_of_output(const PlannedOutput& output) {
  std::vector<std::string> parts;
  if (output.undated) parts.emplace_back("date");
  if (output.without_nodes) parts.emplace_back("nodes");
  if (output.without_mpi) parts.emplace_back("mpi");
  parts.insert(parts.end(), output.parameters.begin(), output.parameters.end());
  for (const std::string& name : output.assumed) parts.push_back(name + " (assumed)");
  if (output.failed > 0) parts.push_back("numbers of " + units::counted(output.failed, "point"));
  if (output.cut) parts.emplace_back("the end of the text");
  return units::joined(parts);
}

analysis::Cell plan_count(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

PlanRow refused_plan_row(const std::string& file, const std::string& why) {
  return {file, "-", "-", plan_count(0), plan_count(0), why};
}

void add_plan_rows(const ImportedFile& one, std::vector<PlanRow>& rows) {
  if (one.unknown) return rows.push_back(refused_plan_row(one.file, "not recognised"));
  if (!one.refused.empty()) {
    const bool named = one.refused.starts_with(one.file + ": ");
    return rows.push_back(
        refused_plan_row(one.file, "refused: " + one.refused.substr(named ? one.file.size() + 2 : 0)));
  }
  for (const PlannedOutput& output : planned_outputs(one.reading))
    rows.push_back({one.file, output.format, output.program, plan_count(output.runs),
                    plan_count(output.points), missing_of_output(output)});
  for (const foreign::RefusedBlock& block : one.reading.refused) {
    const foreign::FormatName& name = foreign::name_of(block.format);
    rows.push_back({one.file, std::string(name.word), std::string(name.program), plan_count(0), plan_count(0),
                    "refused: line " + std::to_string(block.line) + ": " + block.what});
  }
}

/// Table of `import --plan`: a row for each file and each program and release in it, with what the text does not say;
/// a row for each block that is refused, and for each file that is unknown or cannot be read.
analysis::Tables plan_of_import(std::span<const ImportedFile> files) {
  analysis::Section section =
      analysis::table_section("import_plan", "What would be read",
                              {{"file", "file", "", analysis::ColumnKind::text},
                               {"format", "format", "", analysis::ColumnKind::text},
                               {"program", "program", "", analysis::ColumnKind::text},
                               {"runs", "runs", "", analysis::ColumnKind::number},
                               {"points", "points", "", analysis::ColumnKind::number},
                               {"missing", "missing", "", analysis::ColumnKind::text}});
  for (const ImportedFile& one : files) add_plan_rows(one, section.table.rows);
  section.notes.push_back(
      "what is missing stays unknown, or --set, --date, --path and --describe tell it; nothing was written");
  return {std::move(section)};
}

constexpr std::size_t plan_width = 200;  // a line for each file, in which a script finds words

/// Files of the inputs: those of a folder in the order of their names.
std::vector<std::string> files_of(const Values& values) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  const bool deep = values.on("recursive") || values.said("path");
  for (const std::string& input : values.list("input")) {
    std::error_code error;
    if (!fs::is_directory(input, error)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> inside;
    for (auto it =
             fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied, error);
         it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (error) break;
      if (it->is_directory(error) && !deep) it.disable_recursion_pending();
      if (it->is_regular_file(error)) inside.push_back(it->path().string());
    }
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

ImportedFile read_one(const std::string& file, const Values& values, bool named) {
  ImportedFile one{file, {}, {}};
  try {
    hold_input(file);  // refuses a pipe that may have no writer
    const std::string text = plain_text_of(file);
    if (!named && !foreign::is_foreign(text)) {
      one.unknown = true;
      return one;
    }
    one.reading = read_foreign(file, text, description_of(values, file));
  } catch (const record::ReadError& error) {
    one.refused = error.what();
  } catch (const PathMisfit& error) {  // the other files of a folder are read all the same
    if (named) throw;
    one.refused = error.what();
  }
  return one;
}

bool warned(const ImportedFile& one) {
  return !one.reading.refused.empty() ||
         std::ranges::any_of(one.reading.runs, [](const record::Run& run) { return !run.events.empty(); });
}

std::size_t points_of(const foreign::Reading& reading) {
  std::size_t points = 0;
  for (const auto& run : reading.runs) points += run.points.size();
  return points;
}

/// Tells what was wrong with a file.
void warn(const ImportedFile& one) {
  if (!one.refused.empty()) std::cerr << "steelyard: error: " << on_one_line(one.refused) << '\n';
  for (const auto& run : one.reading.runs)
    for (const auto& event : run.events)
      std::cerr << "steelyard: warning: " << event.text << " (" << event.code << ")\n";
}

/// Tells what was read of a file.
void tell(const ImportedFile& one) {
  if (one.unknown || !one.refused.empty()) return;
  const auto& runs = one.reading.runs;
  std::set<std::string> programs;
  for (const auto& run : runs) programs.insert(run.head.name);
  std::cout << one.file << ": " << units::joined(programs) << ": " << units::counted(runs.size(), "run")
            << ", " << units::counted(points_of(one.reading), "point") << '\n';
  for (const auto& run : runs)
    if (const auto& imported = run.head.imported.json();
        imported.contains("assumed") && !imported["assumed"].empty()) {
      std::cout << "  assumed:";
      for (const auto& [name, value] : imported["assumed"].items())
        std::cout << ' ' << name << " (" << value.get<std::string>() << ");";
      std::cout << "  started " << run.head.started_utc << " ("
                << record::text_in(run.head.imported.json(), "started_from") << ")\n";
      break;
    }
}

void name_runs(const Values& values, std::vector<ImportedFile>& files, const std::vector<std::string>& argv) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const std::string& label : values.list("label")) labels.push_back(parse_label(label));
  for (ImportedFile& one : files)
    for (record::Run& run : one.reading.runs) {
      if (const auto name = values.word("name")) run.head.name = *name;
      run.head.labels.insert(run.head.labels.end(), labels.begin(), labels.end());
      run.head.command = argv;
    }
}

/// Id of a joined run: the time of the first text, and a digest of all, as none of the texts alone is this run.
std::string id_of_all(const std::string& first, const std::string& texts) {
  constexpr std::size_t digits = 8;
  const std::string digest = record::sha256(texts);
  return first.substr(0, first.find('-') + 1) + digest.substr(digest.find(':') + 1, digits);
}

/// One run of several texts of one machine, for readers that need them together.
record::Run joined(const std::string& name, std::vector<ImportedFile>& files) {
  record::Run all;
  std::set<std::string> keys, hosts;
  record::Json inputs = record::Json::array();
  std::string texts;  // second halves of their ids, which tell them apart
  for (ImportedFile& one : files)
    for (record::Run& run : one.reading.runs) {
      texts += run.id.substr(run.id.find('-') + 1);
      const std::string host = record::text_in(run.head.machine.json(), "hostname");
      if (!host.empty()) hosts.insert(host);
      if (hosts.size() > 1)
        throw UsageError("--as-one: the texts are of hosts " + *hosts.begin() + " and " + *hosts.rbegin());
      for (const record::Json& file : run.head.imported.json()["files"]) inputs.push_back(file);
      if (all.id.empty()) {
        all = run;
        for (const auto& point : run.points) keys.insert(point.key);
        continue;
      }
      for (auto& point : run.points) {
        if (!keys.insert(point.key).second)
          throw UsageError("--as-one: " + point.key + " is there twice; the second in " + one.file);
        all.points.push_back(std::move(point));
      }
      std::ranges::move(run.summaries, std::back_inserter(all.summaries));
      std::ranges::move(run.events, std::back_inserter(all.events));
      all.head.processes = std::max(all.head.processes, run.head.processes);
      if (all.head.nodes == 0) all.head.nodes = run.head.nodes;
      for (const auto& entry : run.head.plan_sequence) all.head.plan_sequence.push_back(entry);
      if (!run.end) all.end.reset();
    }
  if (all.id.empty()) return all;
  all.id = id_of_all(all.id, texts);
  all.head.name = name;
  all.head.series.clear();
  all.head.launch.reset(), all.head.launches.reset();
  all.head.plan_points = static_cast<std::int64_t>(all.points.size());
  all.head.imported.json()["files"] = std::move(inputs);
  if (all.end) {
    all.end->points = {};
    for (const auto& point : all.points) {
      all.end->points.ok += point.status == record::Status::ok ? 1 : 0;
      all.end->points.failed += point.status == record::Status::failed ? 1 : 0;
      all.end->points.skipped += point.status == record::Status::skipped ? 1 : 0;
      all.end->points.unverified += point.verified == false ? 1 : 0;
    }
  }
  return all;
}

/// Second halves of the ids of the runs in a folder: each tells the file and the run in it.
std::set<std::string> known_runs(const std::filesystem::path& directory) {
  std::set<std::string> halves;
  std::error_code error;
  if (!std::filesystem::exists(directory / "result.jsonl", error)) return halves;
  record::scan(directory / "result.jsonl", [&](record::Record&& record) {
    const std::string& id = record.envelope.run;
    halves.insert(id.substr(id.find('-') + 1));
  });
  return halves;
}

void write_run(const std::filesystem::path& directory, const record::Run& run) {
  std::error_code error;
  const bool there = std::filesystem::exists(directory / "result.jsonl", error);
  record::Writer writer(directory, there ? record::Writer::Mode::append : record::Writer::Mode::create,
                        run.id, 1, 0);
  for (const auto& record : content_of({run}).records) writer.write(record.body);
}

/// Writes the runs. Returns how many were written.
std::size_t keep(const std::string& output, std::vector<ImportedFile>& files, const Values& values) {
  auto known = known_runs(output);
  std::size_t written = 0;
  const auto write = [&](const record::Run& run) {
    const std::string half = run.id.substr(run.id.find('-') + 1);
    if (!known.insert(half).second) {
      std::cerr << "steelyard: note: run " << run.id << " is in '" << output
                << "' already (import_duplicate): passed over\n";
      return;
    }
    write_run(output, run);
    ++written;
  };
  if (const auto name = values.word("as-one")) {
    const auto all = joined(*name, files);
    if (!all.id.empty()) write(all);
    return written;
  }
  for (const ImportedFile& one : files)
    for (const record::Run& run : one.reading.runs) write(run);
  return written;
}

void list_formats() {
  for (const auto& name : foreign::formats())
    std::cout << name.word << std::string(14 - name.word.size(), ' ') << name.program << '\n';
}

int code_of(const std::vector<ImportedFile>& files) {
  const bool refused = std::ranges::any_of(
      files, [](const ImportedFile& one) { return !one.refused.empty() || !one.reading.refused.empty(); });
  bool failed = false;
  for (const ImportedFile& one : files)
    for (const auto& run : one.reading.runs)
      failed = failed || std::ranges::any_of(run.points, [](const auto& point) {
                 return point.status == record::Status::failed;
               });
  return refused || failed ? exit_code::point_failed : exit_code::done;
}

int run_import(const Invocation& invocation) {
  const Values& values = invocation.values;
  if (values.on("list-formats")) {
    list_formats();
    return exit_code::done;
  }
  const auto inputs = values.list("input");
  if (inputs.empty()) throw UsageError("an INPUT is missing: texts of other programs, folders of them, or -");
  const auto output = values.word("output");
  if (!output && !values.on("plan"))
    throw UsageError("--output: is missing: the folder that keeps the records",
                     "--plan only tells what would be read");
  std::vector<ImportedFile> files;
  for (const std::string& file : files_of(values))
    files.push_back(read_one(file, values, std::ranges::find(inputs, file) != inputs.end()));
  std::vector<const foreign::Reading*> readings;
  for (const ImportedFile& one : files)
    if (!one.reading.runs.empty()) readings.push_back(&one.reading);
  refuse_unused("these texts", readings);
  name_runs(values, files, invocation.argv);
  if (values.on("strict"))
    for (const ImportedFile& one : files)
      if (warned(one) || !one.refused.empty())
        throw UsageError("--strict: '" + one.file + "' was read with warnings; nothing is kept");
  for (const ImportedFile& one : files) warn(one);
  if (!values.on("plan"))
    for (const ImportedFile& one : files) tell(one);
  const auto unknown = std::ranges::count_if(files, &ImportedFile::unknown);
  if (unknown > 0) {
    std::cout << units::counted(unknown, "file is", "files are") << " not recognised:";
    bool ours = false;
    for (const ImportedFile& one : files) {
      if (!one.unknown) continue;
      std::cout << ' ' << one.file;
      ours = ours || begins_with(one.file, begin_of_records);
    }
    std::cout << (ours ? " (records of steelyard are read as they are)\n" : "\n");
  }
  const bool any =
      std::ranges::any_of(files, [](const ImportedFile& one) { return !one.reading.runs.empty(); });
  if (!any) throw UsageError("nothing could be read of " + units::counted(files.size(), "file"));
  if (values.on("plan")) {
    std::cout << formats::tables_text(plan_of_import(files), plan_width);
  } else {
    const std::size_t written = keep(*output, files, values);
    std::cout << units::counted(written, "run") << " into " << *output << "/result.jsonl\n";
  }
  return code_of(files);
}

constexpr Option import_options[] = {
    {"output", Kind::directory, "folder whose result.jsonl keeps the records; appended to", 'o'},
    {"name", Kind::text, "name of the runs", FallbackText{"program and release"}},
    {"label", Kind::special, "label of the runs", Argument{"KEY=VALUE"}, parses<parse_label>, Repeat::many},
    {"recursive", "also folders below folders"},
    {"as-one", Kind::text, "all texts are one run of one machine, for balance", Argument{"NAME"}},
    {"strict", "any warning refuses: nothing is kept"},
    {"plan", "only show what would be read of each file, and what is missing", InFile::no},
    {"list-formats", "programs whose texts are read", InFile::no},
};
constexpr Group import_groups[] = {{"Import", import_options}, foreign_group};
constexpr std::string_view import_examples[] = {
    "steelyard import old/imb.txt -o results/old",
    "steelyard import osu-allreduce.out --set processes=64,nodes=2 --date 2023-05-04 -o results/old",
    "steelyard import HPL.out stream.txt hpcg.txt --as-one 'cluster A, delivery' -o results/a",
    "steelyard import --plan old"};
constexpr int import_codes[] = {0, 1, 2, 4};

}  // namespace

constinit const Command import_command{
    .name = "import",
    .section = "Read results",
    .summary = "results of other benchmark programs, kept as records",
    .description =
        "Recognises the texts of IMB, OSU, HPL, HPC Challenge, STREAM, BabelStream, IOR, mdtest, fio, b_eff, b_eff_io, HPCG, "
        "Graph500 and NCCL-tests by what is in them, and keeps their numbers as records of this program, each with the statistic "
        "that it is and the line that it stands in. Every reading command takes such texts directly; import keeps them.",
    .positional = {"INPUT", Kind::file, Repeat::many, "texts of other programs (.gz), folders of them, or -"},
    .groups = import_groups,
    .examples = import_examples,
    .exit_codes = import_codes,
    .see_also = "steelyard help compare, steelyard help report",
    .run = run_import};

}  // namespace steelyard::cli
