// SPDX-License-Identifier: Apache-2.0
#include "beffio/report.hpp"

#include <stdexcept>

#include "exports/formats.hpp"
#include "input/runs.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "suites/beffio/definition.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

std::string word(const Json& config, const char* name, std::string fallback) {
  const bool said = config.is_object() && config.contains(name) && config[name].is_string();
  return said ? config[name].get<std::string>() : fallback;
}

formats::BeffioFilesOptions files_options(const record::RunRecord& head,
                                          const std::filesystem::path& prefix) {
  const Json& config = head.config.json();
  formats::BeffioFilesOptions options;
  options.prefix = prefix.filename().string();
  options.directory = word(config, "directory", word(config, "io_dir", options.directory));
  options.hint_file = word(config, "hints", "");
  options.colour = config.is_object() && config.contains("plot_color") && config["plot_color"] == true;
  return options;
}

/// Refuses records that lack parts for the files of a whole run.
void refuse_incomplete(const record::Run& run) {
  std::string lacks;
  try {
    const analysis::BeffioRun all(run.points);
    if (all.missing() > 0) lacks = std::to_string(all.missing()) + " patterns that failed or were skipped";
    if (all.best("published") == nullptr && lacks.empty()) lacks = "patterns";
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff_io: " + error.what());
  }
  if (lacks.empty() && !is_whole(run, beffio::suite_name)) lacks = "the end of the run";
  if (!lacks.empty()) throw UsageError("the records of run " + run.id + " lack " + lacks, advice_on_part);
}

}  // namespace

formats::BeffioFiles beffio_report(const record::RunRecord& head, std::span<const record::PointRecord> points,
                                   const record::EndRecord* end, const std::filesystem::path& prefix) {
  const analysis::BeffioRun run(points);
  const std::optional<double> elapsed_s = end == nullptr ? std::nullopt : std::optional(end->elapsed_s);
  return formats::beffio_files(head, run, analysis::beffio_frame(head), elapsed_s,
                               files_options(head, prefix));
}

void export_beffio(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const record::Run& run = one_run(runs, "--to b-eff-io: the files");
  const auto to = prefix_of_files(values, "b_eff_io", "four");
  if (!values.on("partial")) refuse_incomplete(run);
  const auto existing = values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
  formats::check_files(to, formats::BeffioFiles{}.named(), existing);
  const record::EndRecord* end = run.end ? &*run.end : nullptr;
  try {
    formats::write_files(to, beffio_report(run.head, run.points, end, to).named(), existing);
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff_io: " + error.what());
  }
}

}  // namespace steelyard::cli
