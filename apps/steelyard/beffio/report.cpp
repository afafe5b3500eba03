// SPDX-License-Identifier: Apache-2.0
#include "beffio/report.hpp"

#include "record/json.hpp"

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

}  // namespace

formats::BeffioFiles beffio_report(const record::RunRecord& head, std::span<const record::PointRecord> points,
                                   const record::EndRecord* end, const std::filesystem::path& prefix) {
  const analysis::BeffioRun run(points);
  const std::optional<double> elapsed_s = end == nullptr ? std::nullopt : std::optional(end->elapsed_s);
  return formats::beffio_files(head, run, analysis::beffio_frame(head), elapsed_s,
                               files_options(head, prefix));
}

}  // namespace steelyard::cli
