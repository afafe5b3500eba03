// SPDX-License-Identifier: Apache-2.0
#include "analysis/ftio_runs.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "analysis/warnings.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

namespace steelyard::analysis {
namespace {

using ftio::RunFigures;

FtioSpread spread_of(const stats::Moments& moments) {
  return {moments.mean(), moments.sd()};
}

bool same_size(const RunFigures& a, const RunFigures& b) {
  return a.processes == b.processes && a.parameter == b.parameter && a.file_access == b.file_access &&
         a.page_cache == b.page_cache;
}

template <class ValueOf>
std::vector<double> each(const FtioRuns& runs, ValueOf value_of) {
  std::vector<double> values;
  for (const FtioSize& size : runs.sizes()) values.push_back(value_of(size));
  return values;
}

void describe_sizes(const FtioRuns& runs, record::Members& classic) {
  const auto put = [&](const char* name, auto value_of) { classic.emplace_back(name, each(runs, value_of)); };
  put("parameters", [](const auto& s) { return static_cast<double>(s.first().parameter); });
  put("matrix_orders", [](const auto& s) { return static_cast<double>(s.first().order); });
  put("runs", [](const auto& s) { return static_cast<double>(s.runs.size()); });
  put("io_fraction", [](const auto& s) { return s.spread(&RunFigures::io_fraction).mean; });
  put("io_fraction_sd", [](const auto& s) { return s.spread(&RunFigures::io_fraction).sd; });
  put("total_s", [](const auto& s) { return s.spread(&RunFigures::total_s).mean; });
  put("total_sd_s", [](const auto& s) { return s.spread(&RunFigures::total_s).sd; });
  put("flop_rate_flop_s", [](const auto& s) { return s.spread(&RunFigures::flop_rate_flop_s).mean; });
  put("flop_rate_sd_flop_s", [](const auto& s) { return s.spread(&RunFigures::flop_rate_flop_s).sd; });
}

/// Whether the files can lie in the page cache: they are smaller than the memory and not kept out of it.
bool is_of_the_page_cache(const RunFigures& run) {
  return run.page_cache == "keep" && run.memory_byte && run.matrix_byte < *run.memory_byte;
}

std::vector<std::string> reasons(const FtioRuns& runs, std::vector<std::string> list) {
  const FtioSize* largest = runs.largest();
  if (largest == nullptr) list.emplace_back("no run was measured");
  if (largest != nullptr && largest->first().processes < 2)
    list.emplace_back("one process: nothing is exchanged");
  if (largest != nullptr && is_of_the_page_cache(largest->first()))
    list.emplace_back("the matrix fits into the memory, where its files can lie");
  if (runs.missing() > 0)
    list.push_back("runs that failed, were stopped or left out: " + std::to_string(runs.missing()));
  if (runs.verified() == false) list.emplace_back("the transform was wrong");
  if (runs.crowded()) list.emplace_back(crowded_words);
  return list;
}

}  // namespace

FtioSpread FtioSize::spread(double RunFigures::*value) const {
  stats::Moments moments;
  for (const auto& run : runs) moments.add(run.*value);
  return spread_of(moments);
}

std::optional<FtioSpread> FtioSize::cycles_per_flop() const {
  stats::Moments moments;
  for (const auto& run : runs) {
    if (!run.cycles_per_flop) return std::nullopt;
    moments.add(*run.cycles_per_flop);
  }
  return spread_of(moments);
}

FtioRuns::FtioRuns(std::span<const record::PointRecord> points) {
  bool right = true, checked = true;
  for (const auto& point : points) {
    if (point.suite != "ftio") continue;
    ++points_;
    processes_ = point.processes;
    right = right && point.verified.value_or(true);
    crowded_ = crowded_ || is_crowded(point);
    if (!ftio::has_figures(point)) {
      ++missing_;
      continue;
    }
    checked = checked && point.verified.has_value();
    const auto run = ftio::figures_of(point);
    const auto found = std::ranges::find_if(sizes_, [&](const auto& s) { return same_size(s.first(), run); });
    (found != sizes_.end() ? *found : sizes_.emplace_back()).runs.push_back(run);
  }
  if (points_ == 0) throw std::invalid_argument("no points of ftio");
  if (!right)
    verified_ = false;
  else if (checked && !sizes_.empty())
    verified_ = true;
}

const FtioSize* FtioRuns::largest() const {
  const auto less = [](const FtioSize& a, const FtioSize& b) { return a.first().order < b.first().order; };
  const auto found = std::ranges::max_element(sizes_, less);
  return found == sizes_.end() ? nullptr : &*found;
}

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
  const auto mean = [&](double RunFigures::*value) -> std::optional<double> {
    return largest == nullptr ? std::nullopt : std::optional(largest->spread(value).mean);
  };
  summary.processes = largest == nullptr ? runs.processes() : largest->first().processes;
  if (largest != nullptr) summary.params["input_parameter"] = largest->first().parameter;
  put(summary, "ftio_io_fraction", mean(&RunFigures::io_fraction));
  put(summary, "ftio_flop_s", mean(&RunFigures::flop_rate_flop_s));
  put(summary, "ftio_total_s", mean(&RunFigures::total_s));
  describe_sizes(runs, summary.classic);
  summary.verified = runs.verified();
  summary.not_official_because = reasons(runs, departures);
  summary.official = summary.not_official_because.empty();
  summary.inputs_select = "ftio/*";
  summary.inputs_used = static_cast<std::int64_t>(runs.points() - runs.missing());
  summary.inputs_missing = static_cast<std::int64_t>(runs.missing());
  return summary;
}

}  // namespace steelyard::analysis
