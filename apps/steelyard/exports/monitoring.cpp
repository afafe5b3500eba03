// SPDX-License-Identifier: Apache-2.0
// Texts for monitoring systems: Prometheus text, which a node exporter's file collector picks up, and OpenMetrics.
#include "formats/monitoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/comparison/comparison.hpp"
#include "analysis/comparison/run_filter.hpp"
#include "analysis/screening/screening.hpp"
#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "formats/hpcc/text.hpp"
#include "process/errors.hpp"
#include "record/point_view.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::cli {
namespace {

using formats::SampleFamily;
using formats::SampleLabels;
using record::Run;

constexpr std::size_t most_point_series = 1000;

struct UnitName {
  std::string_view unit, name, words;
};
constexpr auto unit_names =
    std::to_array<UnitName>({{"s", "seconds", "seconds"},
                             {"byte/s", "bytes_per_second", "bytes per second"},
                             {"flop/s", "flop_per_second", "floating-point operations per second"},
                             {"update/s", "updates_per_second", "updates per second"},
                             {"op/s", "operations_per_second", "operations per second"},
                             {"byte", "bytes", "bytes"},
                             {"", "ratio", "pure numbers"}});

const UnitName* unit_name(std::string_view unit) {
  const auto* found = std::ranges::find(unit_names, unit, &UnitName::unit);
  return found == unit_names.end() ? nullptr : found;
}

/// Families in order of first appearance.
class Families {
 public:
  SampleFamily& of(const std::string& name, const std::string& help, const std::string& unit) {
    const auto [found, is_new] = places_.try_emplace(name, list_.size());
    if (is_new) list_.push_back({name, help, unit, {}});
    return list_[found->second];
  }
  [[nodiscard]] const std::vector<SampleFamily>& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<SampleFamily> list_;
};

/// Labels of every sample of a run, but for nodes where their number is not known. Run ids, dates and paths are none of
/// them: each would be a new series.
SampleLabels labels_of(const Run& run) {
  SampleLabels labels{{"name", run.head.name}};
  if (run.head.nodes > 0) labels.emplace_back("nodes", std::to_string(run.head.nodes));
  labels.emplace_back("processes", std::to_string(run.head.processes));
  return labels;
}

SampleLabels with(SampleLabels labels, std::initializer_list<std::pair<std::string, std::string>> more) {
  labels.insert(labels.end(), more.begin(), more.end());
  return labels;
}

/// Start of a run in seconds since 1970; nullopt if the run does not tell it.
std::optional<double> start_of(const Run& run) {
  const auto seconds = formats::unix_seconds(run.head.started_utc);
  return seconds > 0 ? std::optional(static_cast<double>(seconds)) : std::nullopt;
}

class Exporter {
 public:
  Exporter(Families& families, const Run& run)
      : families_(families), run_(run), labels_(labels_of(run)), at_(start_of(run)) {}

  void add_run() {
    if (at_)
      add("steelyard_run_timestamp_seconds", "When the run began, seconds since 1970.", "seconds", labels_,
          *at_);
    if (run_.end && run_.end->elapsed_s > 0)  // a text that was read does not tell it
      add("steelyard_run_duration_seconds", "How long the run took.", "seconds", labels_,
          run_.end->elapsed_s);
    const auto word = [&](const char* name) { return comparison::run_word(run_.head, name); };
    add("steelyard_run_info", "What the run was measured with.", "",
        with(labels_, {{"version", word("version")},
                       {"mpi", word("mpi").substr(0, word("mpi").find(','))},
                       {"kernel", word("kernel")}}),
        1);
    for (const record::Status status :
         {record::Status::ok, record::Status::partial, record::Status::skipped, record::Status::failed})
      add("steelyard_points", "Points of the run by status.", "",
          with(labels_, {{"status", std::string(text(status))}}),
          static_cast<double>(std::ranges::count(run_.points, status, &record::PointRecord::status)));
  }

  void add_figures() {
    for (const balance::Merit& one : balance::merits(balance::system_of_run(run_), &run_)) {
      const UnitName* unit = unit_name(one.figure->unit);
      if (!one.value || one.wrong || unit == nullptr) continue;
      const auto labels = with(labels_, {{"figure", std::string(one.figure->key)}});
      const std::string end(unit->name), words(unit->words);
      add("steelyard_figure_" + end, "Figures of merit in " + words + '.', end, labels, *one.value);
      if (!one.interval) continue;
      add("steelyard_figure_low_" + end, "Lower ends of their 95 % intervals in " + words + '.', end, labels,
          *one.value * (1 + one.interval->low));
      add("steelyard_figure_high_" + end, "Upper ends of their 95 % intervals in " + words + '.', end, labels,
          *one.value * (1 + one.interval->high));
    }
  }

  /// Adds the number of nodes of each verdict, and by how much slow ones differ, if nodes were compared.
  void add_screening() {
    if (std::ranges::none_of(run_.tables,
                             [](const auto& table) { return table.suite == screen::suite_name; }))
      return;
    try {
      const auto judged = screening::judged(run_);
      for (const auto& [word, verdict] : screening::verdict_words)
        add("steelyard_verdict", "How many nodes are what.", "",
            with(labels_, {{"judge", "screen"}, {"verdict", word}}),
            static_cast<double>(judged.count(verdict)));
      for (const auto& one : judged.findings)
        if (!one.other && one.verdict == screening::Verdict::slow && one.percent)
          add("steelyard_slow_node", "Percent that a slow node differs by from the usual ones.", "",
              with(labels_, {{"node", screening::who(one, judged)}, {"test", one.quantity}}), *one.percent);
    } catch (const screening::Unjudgeable&) {  // its tables hold no value
    }
  }

  /// Adds the primary metric of each point that --select lets through. Returns the number of series.
  std::size_t add_points(const Exported& what) {
    std::size_t series = 0;
    for (const record::PointRecord& point : run_.points) {
      if (!what.lets_through(point)) continue;
      const UnitName* unit = unit_name(record::unit_of(point.primary));
      const auto value = record::figure(point, point.primary);
      if (!value || point.verified == false || unit == nullptr) continue;
      const std::size_t rest = std::min(point.key.find(';'), point.key.size());
      const std::string end(unit->name);
      add("steelyard_point_" + end, "Values of points in " + std::string(unit->words) + '.', end,
          with(labels_, {{"suite", point.suite},
                         {"benchmark", point.benchmark},
                         {"point", point.key.substr(std::min(rest + 1, point.key.size()))},
                         {"metric", point.primary}}),
          *value);
      ++series;
    }
    return series;
  }

 private:
  void add(const std::string& name, const std::string& help, const std::string& unit, SampleLabels labels,
           double value) {
    if (!std::isfinite(value)) return;
    families_.of(name, help, unit).samples.push_back({std::move(labels), value, at_});
  }

  Families& families_;
  const Run& run_;
  SampleLabels labels_;
  std::optional<double> at_;
};

/// The newest run of each machine in each size: the file collector shows the present state.
std::vector<Run> newest_of_each(std::vector<Run> runs) {
  std::ranges::stable_sort(runs, {}, [](const Run& run) { return run.head.started_utc; });
  std::map<SampleLabels, Run> newest;
  for (Run& run : runs) newest.insert_or_assign(labels_of(run), std::move(run));
  std::vector<Run> kept;
  for (auto& [labels, run] : newest) kept.push_back(std::move(run));
  return kept;
}

/// Figures, counts and verdicts are of whole runs, whatever points stand beside them.
std::vector<SampleFamily> families_of(const std::vector<Run>& runs, const Exported& what, bool all) {
  Families families;
  std::size_t series = 0;
  for (const Run& run : runs) {
    Exporter exporter(families, run);
    exporter.add_run();
    exporter.add_figures();
    exporter.add_screening();
    if (what.selected) series = std::max(series, exporter.add_points(what));
  }
  if (series > most_point_series && !all)
    throw UsageError("--select: these are " + std::to_string(series) +
                     " series of points, which is much for a monitoring system; --all exports them");
  return families.list();
}

}  // namespace

void export_monitoring(const Exported& what, const Values& values) {
  const bool times = what.format == "openmetrics";
  const auto runs = times ? what.whole_runs() : newest_of_each(what.whole_runs());
  const auto families = families_of(runs, what, values.on("all"));
  const std::string text = times ? formats::open_metrics_text(families) : formats::prometheus_text(families);
  if (const auto file = values.word("textfile"))
    write_whole(text, *file, Existing::replaced);
  else
    write_whole(text, values.word_or("output", "-"),
                values.on("overwrite") ? Existing::replaced : Existing::refused);
}

}  // namespace steelyard::cli
