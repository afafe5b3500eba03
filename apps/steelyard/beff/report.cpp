// SPDX-License-Identifier: Apache-2.0
#include "beff/report.hpp"

#include "beff/options.hpp"
#include "record/json.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

formats::BeffFilesOptions files_options(const Json& config, const std::filesystem::path& prefix) {
  formats::BeffFilesOptions options;
  options.prefix = prefix.filename().string();
  if (!config.is_object()) return options;
  if (config.contains("yrange") && config["yrange"].is_string())
    options.y_range = parse_y_range(config["yrange"].get<std::string>());
  options.colour = config.contains("plot_color") && config["plot_color"] == true;
  return options;
}

}  // namespace

formats::BeffFiles beff_report(const record::RunRecord& head, std::span<const record::PointRecord> points,
                               const record::EndRecord* end, const std::filesystem::path& prefix) {
  const analysis::BeffRun run(points);
  const std::optional<double> elapsed_s = end == nullptr ? std::nullopt : std::optional(end->elapsed_s);
  return formats::beff_files(head, run, analysis::beff_frame(head), elapsed_s,
                             files_options(head.config.json(), prefix));
}

}  // namespace steelyard::cli
