// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/imported.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "record/json.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using record::PointRecord;
using record::Run;
using Names = std::set<std::string>;

Names unknown_of(const PointRecord& point) {
  Names names;
  const auto& json = point.imported.json();
  if (!json.is_object() || !json.contains("unknown_params")) return names;
  const auto& list = json["unknown_params"];
  for (std::size_t i = 0; list.is_array() && i < list.size(); ++i)
    if (list[i].is_string()) names.insert(list[i].get<std::string>());
  return names;
}

/// A benchmark of another program and the one of ours that does the same.
struct Twin {
  std::string_view theirs, ours_suite, ours;
  std::string_view type;  // of ours; empty: none
  std::string_view remark;
  bool reduction = false, rate = false;
};
constexpr auto osu_twins = std::to_array<Twin>({
    {"latency", "imb-mpi1", "PingPong", "MPI_BYTE", "half a round trip of two processes"},
    {"bw", "imb-mpi1", "Uniband", "MPI_BYTE", "OSU acknowledges each window with 4 byte", false, true},
    {"bibw", "imb-mpi1", "Biband", "MPI_BYTE", "OSU acknowledges each window with 4 byte", false, true},
    {"allreduce", "imb-mpi1", "Allreduce", "", "averages over ranks; OSU uses one buffer again", true},
    {"reduce_scatter", "imb-mpi1", "Reduce_scatter", "", "averages over ranks; OSU uses one buffer again",
     true},
    {"allgather", "imb-mpi1", "Allgather", "MPI_BYTE", "averages over ranks; OSU uses one buffer again"},
    {"alltoall", "imb-mpi1", "Alltoall", "MPI_BYTE", "averages over ranks; OSU uses one buffer again"},
    {"barrier", "imb-mpi1", "Barrier", "", "averages over ranks"},
});

const record::Value* param(const PointRecord& point, std::string_view name) {
  return record::find(point.params, name);
}

/// Makes a point of another program one of ours; the parameters that it cannot tell are those
/// that IMB alone has.
bool become_twin(PointRecord& point, Names& told) {
  const auto twin = std::ranges::find(osu_twins, point.benchmark, &Twin::theirs);
  if (twin == osu_twins.end() || param(point, "buffers") != nullptr) return false;
  if (twin->rate && param(point, "window") == nullptr) return false;
  record::Params params;
  for (const char* name : {"message_byte", "window"})
    if (const auto* value = param(point, name)) params[name] = *value;
  if (!twin->type.empty()) params["type"] = std::string(twin->type);
  if (twin->reduction) {
    if (const auto* type = param(point, "type")) params["type"] = *type;
    params["op"] = std::string("MPI_SUM");
  }
  told.insert("osu/" + point.benchmark + " beside " + std::string(twin->ours_suite) + '/' +
              std::string(twin->ours) + ": " + std::string(twin->remark));
  point.suite = twin->ours_suite;
  point.benchmark = twin->ours;
  point.params = std::move(params);
  record::Json unknown = record::Json::array();
  for (const char* name : {"sync", "map", "off_cache_byte", "off_cache_line_byte", "group"})
    unknown.push_back(record::Json(name));
  point.imported.json()["unknown_params"] = std::move(unknown);
  point.key = record::key_of(point);
  return true;
}

/// Makes points of SingleSTREAM of HPC Challenge and of STREAM meet: kernel and threads decide,
/// elements may differ.
bool become_stream(PointRecord& point, Names& told) {
  const bool theirs = point.suite == "stream",
             ours = point.suite == "hpcc" && point.benchmark == "SingleSTREAM";
  if (!theirs && !ours) return false;
  if (ours) {
    const auto* kernel = param(point, "kernel");
    const auto* word = kernel == nullptr ? nullptr : std::get_if<std::string>(kernel);
    if (word == nullptr) return false;
    point.benchmark = *word;
  } else {
    told.insert("stream/" + point.benchmark + " beside hpcc/SingleSTREAM: best rates; elements may differ");
  }
  point.benchmark = units::lower(point.benchmark);
  point.suite = "stream";
  point.params.clear();
  point.processes = 1;
  point.key = record::key_of(point);
  return true;
}

/// Takes bandwidths as the primary metric of windows of messages.
void compare_bandwidth(PointRecord& point) {
  if (point.suite != "imb-mpi1" || (point.benchmark != "Uniband" && point.benchmark != "Biband")) return;
  const bool has =
      std::ranges::any_of(point.metrics, [](const auto& one) { return one.first == "bandwidth_byte_s"; });
  if (has) point.primary = "bandwidth_byte_s", point.lower_is_better = false;
}

void pair_twins(std::vector<Run>& base, std::vector<Run>& now, Names& told) {
  for (auto* side : {&base, &now})
    for (Run& run : *side)
      for (PointRecord& point : run.points) {
        if (record::is_imported(point) && point.suite == "osu") static_cast<void>(become_twin(point, told));
        static_cast<void>(become_stream(point, told));
      }
  if (told.empty()) return;
  for (auto* side : {&base, &now})
    for (Run& run : *side)
      for (PointRecord& point : run.points) compare_bandwidth(point);
}

/// Leaves out points that one run has twice once parameters are gone: they say nothing of either.
std::size_t leave_out_twice(Run& run) {
  std::map<std::string, int> counts;
  for (const PointRecord& point : run.points) ++counts[point.key];
  return std::erase_if(run.points, [&](const PointRecord& point) { return counts[point.key] > 1; });
}

void drop_unknown(std::vector<Run>& base, std::vector<Run>& now, Names& told) {
  std::map<std::string, Names> dropped;  // by benchmark
  for (const auto* side : {&base, &now})
    for (const Run& run : *side)
      for (const PointRecord& point : run.points)
        if (record::is_imported(point)) dropped[point.suite + '/' + point.benchmark].merge(unknown_of(point));
  Names gone;
  for (auto* side : {&base, &now})
    for (Run& run : *side) {
      bool any_changed = false;
      for (PointRecord& point : run.points) {
        const auto found = dropped.find(point.suite + '/' + point.benchmark);
        if (found == dropped.end()) continue;
        bool changed = false;
        for (const std::string& name : found->second)
          if (point.params.erase(name) > 0) gone.insert(name), changed = true;
        if (changed) point.key = record::key_of(point);
        any_changed |= changed;
      }
      if (!any_changed) continue;
      if (const std::size_t n = leave_out_twice(run); n > 0)
        told.insert(std::to_string(n) + " points of " + run.id +
                    " differ by what the other side does not tell alone: left out");
    }
  if (gone.empty()) return;
  std::string list;
  for (const std::string& name : gone) list += (list.empty() ? "" : ", ") + name;
  told.insert("not told by a text, and so not compared: " + list);
}

/// Whether a release such as "7.4" or "7.5.2" is of 7.4 or later.
bool is_since_7_4(const std::string& release) {
  int major = 0, minor = 0;
  const char* const end = release.data() + release.size();
  const auto [behind, error] = std::from_chars(release.data(), end, major);
  if (error != std::errc{}) return false;
  if (behind != end && *behind == '.') std::from_chars(behind + 1, end, minor);
  return major > 7 || (major == 7 && minor >= 4);
}

/// Releases of OSU whose osu_mbw_mr a side holds.
Names message_rates_of(const std::vector<Run>& runs) {
  Names releases;
  for (const Run& run : runs)
    if (std::ranges::any_of(run.points, [](const PointRecord& point) {
          return record::is_imported(point) && point.suite == "osu" && point.benchmark == "mbw_mr";
        }))
      releases.insert(record::text_in(run.head.imported.json(), "release"));
  return releases;
}

/// Tells that the sides hold osu_mbw_mr of two definitions: it has another one since 7.4.
void tell_divisors(const std::vector<Run>& base, const std::vector<Run>& now, Names& told) {
  for (const std::string& first : message_rates_of(base))
    for (const std::string& second : message_rates_of(now))
      if (is_since_7_4(first) != is_since_7_4(second))
        told.insert(
            "osu/mbw_mr of " + first + " beside " + second +
            ": since 7.4 its rates are over the time of all senders, before over the mean of their times");
}

std::string word_in_import(const PointRecord& point, const char* name) {
  return record::text_in(point.imported.json(), name);
}

/// Classic value of IMB that the time of a text is: one that has no slowest process is of the mean.
std::string_view time_of(const PointRecord& imported) {
  const auto has = [&](std::string_view name) { return record::find(imported.classic, name) != nullptr; };
  const bool mean = word_in_import(imported, "over_ranks") == "mean" || (has("t_avg_s") && !has("t_max_s"));
  return mean ? "t_avg_s" : "t_max_s";
}

}  // namespace

bool holds_imported(std::span<const Run> runs) {
  return std::ranges::any_of(runs, [](const Run& run) { return !run.head.imported.empty(); });
}

std::vector<std::string> align(std::vector<Run>& base, std::vector<Run>& now, bool twins) {
  if (!holds_imported(base) && !holds_imported(now)) return {};
  Names told;
  if (twins) pair_twins(base, now, told);
  drop_unknown(base, now, told);
  tell_divisors(base, now, told);
  return {told.begin(), told.end()};
}

std::string statistic_of(const PointRecord& point) {
  if (!record::is_imported(point)) return {};
  std::string text = word_in_import(point, "over_time");
  const auto* held = record::statistics(point, point.primary);
  if (held != nullptr && !held->headline.empty()) text = held->headline;
  const std::string ranks = word_in_import(point, "over_ranks");
  return ranks.empty() ? text : text + ", over ranks: " + ranks;
}

/// The largest of the repetitions that a point keeps under a name.
std::optional<double> best_of(const PointRecord& point, std::string_view name) {
  const auto* held = record::list_of(record::find(point.classic, name));
  if (held == nullptr || held->empty()) return std::nullopt;
  const double best = *std::ranges::max_element(*held);
  return best > 0 ? std::optional(best) : std::nullopt;
}

std::optional<double> same_definition(const PointRecord& own, const PointRecord& imported,
                                      std::string_view metric) {
  const auto classic = [&](std::string_view name) -> std::optional<double> {
    const auto number = record::number_of(record::find(own.classic, name));
    return number && *number > 0 ? number : std::nullopt;
  };
  if (own.suite == "stream") return classic("most_rate");
  if (own.suite == "b-eff" && metric == "bandwidth_per_process_byte_s") return best_of(own, "min_byte_s");
  if (!record::is_of_imb(own)) return std::nullopt;
  if (metric == "time_s") return classic(time_of(imported));
  if (metric == "message_rate_total_op_s" || metric == "message_rate_op_s")
    return classic("message_rate_op_s");
  const bool bandwidth = metric == "bandwidth_byte_s" || metric == "bandwidth_process_byte_s" ||
                         metric == "bandwidth_total_byte_s";
  return bandwidth ? classic("bandwidth_byte_s") : std::nullopt;
}

double step_of(const PointRecord& point) {
  return record::number_in(point.imported.json().is_object() ? point.imported.json() : record::Json::object(),
                           "step")
      .value_or(0);
}

}  // namespace steelyard::comparison
