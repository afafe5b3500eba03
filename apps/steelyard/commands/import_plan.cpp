// SPDX-License-Identifier: Apache-2.0
#include "commands/import_plan.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using PlanRow = std::vector<analysis::Cell>;

/// Runs of one program and release in one file.
struct PlannedOutput {
  std::string format, program;
  std::size_t runs = 0, points = 0, failed = 0;
  bool without_nodes = false, without_mpi = false, undated = false, cut = false;
  std::set<std::string> parameters = {}, assumed = {};
};

std::string with_commas(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

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
  return with_commas(parts);
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

}  // namespace

analysis::Tables plan_of_import(std::span<const ImportedFile> files) {
  analysis::Section section{"import_plan", "What would be read", {}, {}, {}};
  section.table = {"import_plan",
                   {{"file", "file", "", analysis::ColumnKind::text},
                    {"format", "format", "", analysis::ColumnKind::text},
                    {"program", "program", "", analysis::ColumnKind::text},
                    {"runs", "runs", "", analysis::ColumnKind::number},
                    {"points", "points", "", analysis::ColumnKind::number},
                    {"missing", "missing", "", analysis::ColumnKind::text}},
                   {},
                   {}};
  for (const ImportedFile& one : files) add_plan_rows(one, section.table.rows);
  section.notes.push_back(
      "what is missing stays unknown, or --set, --date, --path and --describe tell it; nothing was written");
  return {std::move(section)};
}

}  // namespace steelyard::cli
