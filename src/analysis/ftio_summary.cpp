// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "analysis/ftio_runs.hpp"
#include "analysis/summary_values.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::Metric;

template <class ValueOf>
std::vector<double> each(const FtioRuns& runs, ValueOf value_of) {
  std::vector<double> values;
  for (const FtioSize& size : runs.sizes()) values.push_back(value_of(size));
  return values;
}

void describe_sizes(const FtioRuns& runs, record::Members& classic) {
  const auto put = [&](const char* name, auto value_of) { classic.emplace_back(name, each(runs, value_of)); };
  put("parameters", [](const auto& s) { return static_cast<double>(s.first().parameter); });
  put("matrix_orders", [](const auto& s) { return s.first().order; });
  put("runs", [](const auto& s) { return static_cast<double>(s.runs.size()); });
  put("io_fraction", [](const auto& s) { return s.spread(&FtioRun::io_fraction).mean; });
  put("io_fraction_sd", [](const auto& s) { return s.spread(&FtioRun::io_fraction).sd; });
  put("total_s", [](const auto& s) { return s.spread(&FtioRun::total_s).mean; });
  put("total_sd_s", [](const auto& s) { return s.spread(&FtioRun::total_s).sd; });
  put("flop_rate_flop_s", [](const auto& s) { return s.spread(&FtioRun::flop_rate_flop_s).mean; });
  put("flop_rate_sd_flop_s", [](const auto& s) { return s.spread(&FtioRun::flop_rate_flop_s).sd; });
}

std::vector<std::string> reasons(const FtioRuns& runs, std::vector<std::string> list) {
  const FtioSize* largest = runs.largest();
  if (largest == nullptr) list.emplace_back("no run was measured");
  if (largest != nullptr && largest->first().processes < 2)
    list.emplace_back("one process: nothing is exchanged");
  if (runs.missing() > 0) list.push_back(std::to_string(runs.missing()) + " runs failed or were skipped");
  if (runs.verified() == false) list.emplace_back("the transform was wrong");
  return list;
}

std::int64_t used(const FtioRuns& runs) {
  return static_cast<std::int64_t>(runs.points() - runs.missing());
}

}  // namespace

std::vector<std::string> ftio_departures(const record::RunRecord& head) {
  const record::Json& config = head.config.json();
  std::vector<std::string> list;
  if (!config.is_object() || !config.contains("ftio") || !config["ftio"].is_object()) return list;
  const record::Json& own = config["ftio"];
  if (!own.contains("not_official_because") || !own["not_official_because"].is_string()) return list;
  std::istringstream lines(own["not_official_because"].get<std::string>());
  for (std::string line; std::getline(lines, line);) list.push_back(line);
  return list;
}

record::SummaryRecord ftio_summary(const FtioRuns& runs, const std::vector<std::string>& departures) {
  record::SummaryRecord summary;
  summary.name = summary.suite = "ftio";
  const FtioSize* largest = runs.largest();
  const auto mean = [&](double FtioRun::*value) -> std::optional<double> {
    return largest == nullptr ? std::nullopt : std::optional(largest->spread(value).mean);
  };
  if (largest != nullptr) {
    summary.processes = largest->first().processes;
    summary.params["input_parameter"] = largest->first().parameter;
  }
  put(summary, "ftio_io_fraction", mean(&FtioRun::io_fraction));
  put(summary, "ftio_flop_s", mean(&FtioRun::flop_rate_flop_s));
  put(summary, "ftio_total_s", mean(&FtioRun::total_s));
  describe_sizes(runs, summary.classic);
  summary.verified = runs.verified();
  summary.not_official_because = reasons(runs, departures);
  summary.official = summary.not_official_because.empty();
  summary.inputs_select = "ftio/*";
  summary.inputs_used = used(runs);
  summary.inputs_missing = static_cast<std::int64_t>(runs.missing());
  return summary;
}

}  // namespace steelyard::analysis
