// SPDX-License-Identifier: Apache-2.0
#include "input/foreign_input.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <optional>

#include "analysis/comparison/run_filter.hpp"
#include "analysis/hpcc_summary.hpp"
#include "input/text_file.hpp"
#include "machine/build_info.hpp"
#include "machine/compression.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

/// The metric of a figure of the Summary, by its base unit.
constexpr auto metrics = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"flop/s", "flop_rate_flop_s"},
    {"update/s", "update_rate_update_s"},
    {"byte/s", "bandwidth_byte_s"},
    {"s", "time_s"},
});

int whole(const record::Members& summary, std::string_view key, int otherwise) {
  const auto number = record::whole_of(record::find(summary, key));
  return number && *number > 0 ? static_cast<int>(*number) : otherwise;
}

/// Unit of a figure: times of checks and norms, in plain units, are none, and keys of our own, Sy_..., neither.
std::optional<hpcc::KeyUnit> unit_of_figure(std::string_view key) {
  if (is_outside_summary(key)) return hpcc::unit_by_ending(key);
  const auto unit = hpcc::summary_key(key) == nullptr ? std::nullopt : hpcc::key_unit(key);
  return unit && unit->size != 1 ? unit : std::nullopt;
}

/// A point for each rate and latency.
std::vector<record::PointRecord> points_of(const record::Members& summary) {
  std::vector<record::PointRecord> points;
  for (const auto& [key, value] : summary) {
    const auto unit = unit_of_figure(key);
    if (!unit) continue;
    const auto* metric = std::ranges::find(metrics, unit->base, [](const auto& one) { return one.first; });
    const auto number = record::number_of(&value);
    const bool is_measured = number && *number > 0;  // -1 stands for what was not run
    if (metric == metrics.end() || !is_measured) continue;
    record::PointRecord point;
    point.suite = "hpcc";
    point.benchmark = key;
    point.processes = whole(summary, "CommWorldProcs", 1);
    point.threads = whole(summary, "STREAM_Threads", 1);
    point.key = record::make_key(point.suite, key, point.processes, point.threads, 1, {});
    point.metrics.emplace_back(metric->second, *number * unit->size);
    point.primary = metric->second;
    point.lower_is_better = metric->second == "time_s";
    points.push_back(std::move(point));
  }
  return points;
}

/// Time at which a file was changed last; empty for standard input, and for what has no name, as what was held.
std::string time_of_file(const std::string& file) {
  struct stat status {};
  if (file == "-" || ::stat(file.c_str(), &status) != 0 || status.st_nlink == 0) return {};
  return foreign::utc_of(static_cast<std::int64_t>(status.st_mtime));
}

bool is_record(std::string_view text) {
  return text.find("\"steelyard.") != std::string_view::npos;
}

/// Member `program` of the records, which this program writes, whatever wrote the text.
record::Json program() {
  const auto& info = machine::build_info();
  record::Json build{{"type", info.type}, {"compiler", info.compiler}};
  return {{"name", "steelyard"}, {"version", info.version}, {"build", std::move(build)}};
}

}  // namespace

std::string plain_text_of(const std::string& file) {
  std::string text = text_of_file(file);
  if (!text.starts_with("\x1f\x8b")) return text;
  auto plain = machine::unpacked(text);
  if (!plain) throw record::ReadError(file + ": is compressed, and cannot be unpacked");
  return std::move(*plain);
}

bool is_foreign_file(const std::string& file) {
  if (!can_be_read_again(file) || file.ends_with(".jsonl") || file.ends_with(".jsonl.gz") ||
      begins_with(file, begin_of_records))
    return false;
  return is_foreign_text(plain_text_of(file));
}

bool is_foreign_text(std::string_view text) {
  return !is_record(text) && foreign::is_foreign(text);
}

foreign::Reading read_foreign(const std::string& file, const std::string& text, const DescribedFile& told) {
  try {
    auto reading = foreign::read({file, text, time_of_file(file)}, told.told);
    if (reading.runs.empty() && !reading.refused.empty())
      throw record::ReadError(file + ": " + foreign::text(reading.refused.front()));
    for (const auto& refused : reading.refused)
      std::cerr << "steelyard: warning: " << file << ": " << foreign::text(refused) << ": left out\n";
    for (record::Run& run : reading.runs) {
      run.head.program = program();
      run.head.labels = told.labels;
      if (!told.name.empty()) run.head.name = told.name;
    }
    return reading;
  } catch (const foreign::Contradiction& error) {
    throw UsageError(file + ": " + error.what());
  } catch (const foreign::Unreadable& error) {
    throw record::ReadError(file + ": " + error.what());
  }
}

void refuse_unused(const std::string& where, std::span<const foreign::Reading* const> readings) {
  std::map<std::string, std::size_t> unused;
  std::vector<std::string> known = {"processes", "threads", "nodes", "processes_per_node",
                                    "mpi",       "machine", "host"};
  for (const foreign::Reading* reading : readings) {
    for (const std::string& name : reading->unused) ++unused[name];
    known.insert(known.end(), reading->parameters.begin(), reading->parameters.end());
  }
  for (const auto& [name, count] : unused) {
    if (count < readings.size()) continue;
    throw UsageError("--set " + name + "=: no point of " + where + " has or lacks a parameter of that name" +
                     units::did_you_mean(name, known));
  }
}

std::vector<record::Run> foreign_runs(const std::string& file, const DescribedFile& told) {
  return foreign_runs(file, plain_text_of(file), told);
}

std::vector<record::Run> foreign_runs(const std::string& file, const std::string& text,
                                      const DescribedFile& told) {
  foreign::Reading reading = read_foreign(file, text, told);
  const foreign::Reading* const only[] = {&reading};
  refuse_unused("'" + file + "'", only);
  return std::move(reading.runs);
}

record::FileContent content_of(const std::vector<record::Run>& runs) {
  record::FileContent content;
  for (const record::Run& run : runs) {
    std::int64_t seq = 0;
    const auto add = [&](record::Body body) {
      content.records.push_back({{run.id, 1, seq++, 0}, std::move(body)});
    };
    add(run.head);
    for (const auto& point : run.points) add(point);
    for (const auto& summary : run.summaries) add(summary);
    for (const auto& event : run.events) add(event);
    if (run.end) add(*run.end);
  }
  return content;
}

void add_foreign_name(const record::PointRecord& point, std::set<std::string>& names) {
  if (record::is_imported(point)) names.insert(point.suite + '/' + point.benchmark);
}

std::set<std::string> selected_names(const std::vector<std::string>& patterns,
                                     const std::set<std::string>& foreign) {
  std::set<std::string> names;
  std::vector<std::string> ours;
  for (const std::string& pattern : patterns) {
    const std::string whole = pattern.find('/') == std::string::npos ? pattern + "/*" : pattern;
    bool meant = false;
    for (const std::string& name : foreign)
      if (comparison::matches(whole, name)) names.insert(name), meant = true;
    if (!meant || !foreign::is_suite(whole.substr(0, whole.find('/')))) ours.push_back(pattern);
  }
  const auto all = suites::definitions();
  if (!ours.empty())
    for (const auto& one : campaign::select(ours, {}, suites::pointers(all)))
      names.insert(std::string(one.suite->name()) + '/' + one.benchmark);
  return names;
}

bool has_figures_alone(const record::Run& run) {
  return record::text_in(run.head.imported.json(), "format") == "hpcc";
}

bool is_outside_summary(std::string_view key) {
  return hpcc::summary_key(key) == nullptr && !key.starts_with("Sy_");
}

std::vector<std::string> numbers_without_unit(const record::Run& run) {
  std::vector<std::string> keys;
  for (const record::SummaryRecord& summary : run.summaries)
    for (const auto& [key, value] : summary.classic)
      if (summary.name == "hpcc" && is_outside_summary(key) && record::number_of(&value) &&
          !hpcc::unit_by_ending(key))
        keys.push_back(key);
  return keys;
}

record::Run figures_of(record::Run run) {
  const auto made = std::ranges::find(run.summaries, "hpcc", &record::SummaryRecord::name);
  const auto summary = made != run.summaries.end()
                           ? std::optional(*made)
                           : analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head));
  run.points = summary ? points_of(summary->classic) : std::vector<record::PointRecord>();
  run.envelopes.assign(run.points.size(), {});
  return run;
}

}  // namespace steelyard::cli
