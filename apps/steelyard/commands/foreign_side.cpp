// SPDX-License-Identifier: Apache-2.0
#include "commands/foreign_side.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "analysis/hpcc_summary.hpp"
#include "commands/text_file.hpp"
#include "formats/hpcc/reader.hpp"

namespace steelyard::cli {
namespace {

/// How a key of the Summary ends, and what its number is then.
struct Ending {
  std::string_view end, metric;
  double scale;
  bool lower_is_better = false;
};
constexpr auto endings = std::to_array<Ending>({
    {"_Tflops", "flop_rate_flop_s", 1e12},
    {"_Gflops", "flop_rate_flop_s", 1e9},
    {"_GUPs", "update_rate_update_s", 1e9},
    {"_GBs", "bandwidth_byte_s", 1e9},
    {"_GBytes", "bandwidth_byte_s", 1e9},
    {"STREAM_Copy", "bandwidth_byte_s", 1e9},
    {"STREAM_Scale", "bandwidth_byte_s", 1e9},
    {"STREAM_Add", "bandwidth_byte_s", 1e9},
    {"STREAM_Triad", "bandwidth_byte_s", 1e9},
    {"_usec", "time_s", 1e-6, true},
});

int whole(const record::Members& summary, std::string_view key, int otherwise) {
  const auto* value = record::find(summary, key);
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return number != nullptr && *number > 0 ? static_cast<int>(*number) : otherwise;
}

/// Of a figure that was measured; the Summary also has words, such as the release, and -1 for what was not.
std::optional<double> figure(const record::Value& value) {
  const bool is_number = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  const double number = is_number ? record::number(value) : 0;
  return number > 0 ? std::optional(number) : std::nullopt;
}

/// The keys of our own are no figures of the published suite.
std::vector<record::PointRecord> points_of(const record::Members& summary) {
  std::vector<record::PointRecord> points;
  for (const auto& [key, value] : summary) {
    const auto* ending =
        std::ranges::find_if(endings, [&](const Ending& one) { return key.ends_with(one.end); });
    const auto number = figure(value);
    if (ending == endings.end() || key.starts_with("Sy_") || !number) continue;
    record::PointRecord point;
    point.suite = "hpcc";
    point.benchmark = key;
    point.processes = whole(summary, "CommWorldProcs", 1);
    point.threads = whole(summary, "STREAM_Threads", 1);
    point.key = record::make_key(point.suite, key, point.processes, point.threads, 1, {});
    point.metrics.emplace_back(ending->metric, *number * ending->scale);
    point.primary = ending->metric;
    point.lower_is_better = ending->lower_is_better;
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

bool is_foreign(const std::string& file) {
  return std::filesystem::is_regular_file(file) && !file.ends_with(".gz") &&
         formats::is_hpcc_output(text_of_file(file));
}

record::Run run_of_hpcc_output(const std::string& file) {
  try {
    const auto output = formats::read_hpcc_output(text_of_file(file));
    record::Run run;
    run.id = file;
    run.head.name = output.host;
    run.points = points_of(output.summary);
    run.head.processes = whole(output.summary, "CommWorldProcs", 1);
    run.head.threads_per_process = whole(output.summary, "STREAM_Threads", 1);
    return run;
  } catch (const formats::TextError& error) {
    throw record::ReadError(file + ": " + error.what());
  }
}

record::Run figures_of(record::Run run) {
  const auto summary = analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head));
  run.points = summary ? points_of(summary->classic) : std::vector<record::PointRecord>();
  run.envelopes.assign(run.points.size(), {});
  return run;
}

}  // namespace steelyard::cli
