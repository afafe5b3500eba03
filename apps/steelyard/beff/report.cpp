// SPDX-License-Identifier: Apache-2.0
#include "beff/report.hpp"

#include <algorithm>
#include <stdexcept>

#include "beff/options.hpp"
#include "exports/formats.hpp"
#include "input/runs.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "suites/beff/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

formats::BeffFilesOptions files_options(const record::Json& config, const std::filesystem::path& prefix) {
  formats::BeffFilesOptions options;
  options.prefix = prefix.filename().string();
  if (!config.is_object()) return options;
  if (config.contains("yrange") && config["yrange"].is_string())
    options.y_range = parse_y_range(config["yrange"].get<std::string>());
  options.colour = config.contains("plot_color") && config["plot_color"] == true;
  return options;
}

using Strings = std::vector<std::string>;

void refuse_other_suites(const record::Run& run) {
  const auto is_beff = [](const record::PointRecord& point) { return point.suite == beff::suite_name; };
  if (!std::ranges::any_of(run.points, is_beff))
    throw UsageError("the records of run " + run.id + " lack points of suite b-eff");
}

analysis::BeffRun understood(const record::Run& run) {
  try {
    return analysis::BeffRun(run.points);
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff: " + error.what());
  }
}

// Parts that the records lack for the files of a whole run.
Strings missing(const record::Run& run) {
  const auto beff = understood(run);
  Strings list;
  if (beff.missing() > 0)
    list.push_back(std::to_string(beff.missing()) + " loops that failed or were skipped");
  if (!beff.complete())
    list.push_back(std::to_string(analysis::beff_length_count - beff.cube().lengths().size()) + " of " +
                   std::to_string(analysis::beff_length_count) + " message lengths");
  if (!beff.b_eff() && list.empty()) list.emplace_back("rings or random polygons");
  if (!is_whole(run, beff::suite_name)) list.emplace_back("the end of the run");
  return list;
}

}  // namespace

formats::BeffFiles beff_report(const record::RunRecord& head, std::span<const record::PointRecord> points,
                               const record::EndRecord* end, const std::filesystem::path& prefix) {
  const analysis::BeffRun run(points);
  const std::optional<double> elapsed_s = end == nullptr ? std::nullopt : std::optional(end->elapsed_s);
  return formats::beff_files(head, run, analysis::beff_frame(head), elapsed_s,
                             files_options(head.config.json(), prefix));
}

void export_beff(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const record::Run& run = one_run(runs, "--to b-eff: the files");
  const auto to = prefix_of_files(values, "b_eff", "six");
  refuse_other_suites(run);
  if (const auto lacks = missing(run); !lacks.empty() && !values.on("partial"))
    throw UsageError("the records of run " + run.id + " lack " + units::joined(lacks), advice_on_part);
  const auto existing = values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
  formats::check_files(to, formats::BeffFiles{}.named(), existing);
  const record::EndRecord* end = run.end ? &*run.end : nullptr;
  formats::write_files(to, beff_report(run.head, run.points, end, to).named(), existing);
}

}  // namespace steelyard::cli
