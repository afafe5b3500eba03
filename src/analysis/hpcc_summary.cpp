// SPDX-License-Identifier: Apache-2.0
#include "analysis/hpcc_summary.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "analysis/warnings.hpp"
#include "record/clipped.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {
namespace {

using hpcc::KeyFormat, hpcc::SummaryKey;
using record::Json;
using record::Members;

Json member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() ? Json() : *found;
}

std::optional<double> number_of_json(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::string word(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string{};
}

std::vector<std::string> benchmarks_of(const std::vector<std::string>& sequence) {
  constexpr std::string_view prefix = "hpcc/";
  std::vector<std::string> names;
  for (const auto& name : sequence)
    if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  return names;
}

void read_grids(const Json& config, HpccFrame& frame) {
  const Json rows = member(config, "grid_rows"), columns = member(config, "grid_columns");
  for (std::size_t i = 0; i < std::min(rows.size(), columns.size()); ++i) {
    const auto processes = record::whole(rows[i].get<double>() * columns[i].get<double>());
    frame.most_processes = std::max(frame.most_processes.value_or(processes), processes);
    frame.least_processes = std::min(frame.least_processes.value_or(processes), processes);
  }
}

std::optional<HpccFrame::Memory> memory_of(const Json& config) {
  const auto code = number_of_json(member(config, "memory_code")),
             said = number_of_json(member(config, "memory_said_mebibyte")),
             process = number_of_json(member(config, "memory_process_mebibyte"));
  if (!code || !said || !process) return std::nullopt;
  return HpccFrame::Memory{record::whole(*code), *said, *process};
}

std::optional<std::int64_t> whole_of_json(const Json& json) {
  return json.is_number_integer() ? std::optional(json.get<std::int64_t>()) : std::nullopt;
}

HpccFrame::Schedule schedule_of(const Json& config) {
  const auto whole = [&](const char* name) { return whole_of_json(member(config, name)); };
  return {whole("stream_trials"), whole("placements"), whole("ring_patterns"),
          number_of_json(member(config, "updates_share")), number_of_json(member(config, "update_bound_s"))};
}

template <class T>
std::int64_t size() {
  return static_cast<std::int64_t>(sizeof(T));
}

void add_sizes(Members& values) {
  struct Pair {
    double real, imaginary;
  };
  values.emplace_back("sizeof_char", size<char>());
  values.emplace_back("sizeof_short", size<short>());
  values.emplace_back("sizeof_int", size<int>());
  values.emplace_back("sizeof_long", size<long>());
  values.emplace_back("sizeof_void_ptr", size<void*>());
  values.emplace_back("sizeof_size_t", size<std::size_t>());
  values.emplace_back("sizeof_float", size<float>());
  values.emplace_back("sizeof_double", size<double>());
  values.emplace_back("sizeof_s64Int", size<std::int64_t>());
  values.emplace_back("sizeof_u64Int", size<std::uint64_t>());
  values.emplace_back("sizeof_struct_double_double", size<Pair>());
}

/// Adds the values of LAPACK's xLAMCH. EPS is the largest relative error of one rounding.
template <class Real>
void add_constants(Members& values, const std::string& prefix) {
  using Limits = std::numeric_limits<Real>;
  const auto add = [&](const char* name, double value) { values.emplace_back(prefix + name, value); };
  add("EPS", static_cast<double>(Limits::epsilon() / 2));
  add("SFMIN", static_cast<double>(Limits::min()));
  add("BASE", Limits::radix);
  add("PREC", static_cast<double>(Limits::epsilon()));
  add("MLEN", Limits::digits);
  add("RND", Limits::round_style == std::round_to_nearest ? 1 : 0);
  add("EMIN", Limits::min_exponent);
  add("RMIN", static_cast<double>(Limits::min()));
  add("EMAX", Limits::max_exponent);
  add("RMAX", static_cast<double>(Limits::max()));
}

void add_run(Members& values, const HpccFrame& frame, int processes) {
  values.emplace_back("VersionMajor", std::int64_t{1});
  values.emplace_back("VersionMinor", std::int64_t{5});
  values.emplace_back("VersionMicro", std::int64_t{0});
  values.emplace_back("CommWorldProcs", std::int64_t{processes});
  if (frame.tick_s) values.emplace_back("MPI_Wtick", *frame.tick_s);
  if (frame.most_processes) values.emplace_back("HPLMaxProcs", *frame.most_processes);
  if (frame.least_processes) values.emplace_back("HPLMinProcs", *frame.least_processes);
}

void add_choices(Members& values, const HpccFrame& frame) {
  const bool library = frame.transforms == "FFTW";
  values.emplace_back("FFT_API", std::string(library ? "FFTW3" : "steelyard(built-in)"));
  values.emplace_back("CPS_USING_FFTW", std::int64_t{library ? 1 : 0});
  values.emplace_back("CPS_HPCC_FFT_235", std::int64_t{frame.smooth_lengths ? 1 : 0});
  if (!frame.memory) return;
  values.emplace_back("MemProc", frame.memory->process_mebibyte);
  values.emplace_back("MemSpec", frame.memory->code);
  values.emplace_back("MemVal", frame.memory->said_mebibyte);
}

using record::number_of, record::word_of, record::whole_of;
using record::PointRecord;
using Own = std::vector<const PointRecord*>;

constexpr std::string_view messages = "LatencyBandwidth", solver = "HPL", huge_pages = "Sy_huge_page_share";

/// Name that tells the points of one benchmark apart where each of them has keys of its own.
std::string label(const PointRecord& point) {
  std::string name = point.benchmark;
  if (const auto kernel = word_of(record::find(point.params, "kernel")); !kernel.empty())
    return name + '_' + kernel;
  if (point.benchmark != messages) return name;
  const auto bytes = whole_of(record::find(point.params, "message_byte"));
  return bytes ? name + '_' + std::to_string(*bytes) : name;
}

std::optional<double> speed(const PointRecord& point) {
  for (const auto* key : {"PTRANS_GBs", "HPL_Tflops"})
    if (const auto rate = number_of(record::find(point.classic, key))) return rate;
  return std::nullopt;
}

/// Points that give the values: of several combinations the one with the largest rate.
class Found {
 public:
  void add(const PointRecord& point) {
    const auto [place, is_new] = speaking_.try_emplace(label(point), &point);
    if (is_new || speed(point) >= speed(*place->second)) place->second = &point;
  }
  [[nodiscard]] const record::Value* value(std::string_view name) const {
    const record::Value* found = nullptr;
    for (const auto& [label, point] : speaking_)
      if (const auto* value = record::find(point->classic, name)) found = value;
    return found;
  }
  [[nodiscard]] bool has(std::string_view benchmark) const { return speaking_.contains(benchmark); }
  [[nodiscard]] const auto& speaking() const { return speaking_; }

 private:
  std::map<std::string, const PointRecord*, std::less<>> speaking_;
};

struct Figure {
  const char* name;
  std::string_view key;
};
constexpr std::array figures = {
    Figure{"hpl_flop_s", "HPL_Tflops"},
    Figure{"star_dgemm_flop_s", "StarDGEMM_Gflops"},
    Figure{"ptrans_byte_s", "PTRANS_GBs"},
    Figure{"star_stream_copy_byte_s", "StarSTREAM_Copy"},
    Figure{"star_stream_triad_byte_s", "StarSTREAM_Triad"},
    Figure{"mpi_random_access_update_s", "MPIRandomAccess_GUPs"},
    Figure{"mpi_fft_flop_s", "MPIFFT_Gflops"},
    Figure{"random_ring_latency_s", "RandomlyOrderedRingLatency_usec"},
    Figure{"random_ring_byte_s", "RandomlyOrderedRingBandwidth_GBytes"},
    Figure{"natural_ring_byte_s", "NaturallyOrderedRingBandwidth_GBytes"},
    Figure{"pingpong_max_latency_s", "MaxPingPongLatency_usec"},
    Figure{"pingpong_min_byte_s", "MinPingPongBandwidth_GBytes"},
};

record::Value initial(const SummaryKey& key) {
  if (key.format == KeyFormat::word) return std::string(key.initial_word);
  if (key.format == KeyFormat::count) return record::clipped<std::int64_t>(key.initial);
  return key.initial;
}

record::Value in_format(const SummaryKey& key, const record::Value& value) {
  const auto real = number_of(&value);
  if (key.format == KeyFormat::word || !real) return value;
  if (key.format == KeyFormat::count) return record::clipped<std::int64_t>(*real);
  return *real;
}

std::optional<bool> all_verified(const Own& points) {
  bool all = true;
  for (const auto* point : points) {
    if (point->verified == false) return false;
    all = all && (point->verified.has_value() || !measured(*point));
  }
  return all ? std::optional(true) : std::nullopt;
}

bool has_nobody_to_talk_to(const PointRecord& point) {
  return point.benchmark == messages && point.processes < 2;
}

/// Whether every benchmark of the plan has a record, and every record a result.
bool complete(const Own& points, const HpccFrame& frame) {
  for (const auto* point : points)
    if (!measured(*point) && !has_nobody_to_talk_to(*point)) return false;
  return std::ranges::all_of(frame.benchmarks, [&](const std::string& name) {
    return std::ranges::any_of(points, [&](const auto* point) { return point->benchmark == name; });
  });
}

/// Reasons of the tests themselves: without a result, wrong, or too small.
void add_reasons_of_tests(const Own& points, const HpccFrame& frame, std::vector<std::string>& list) {
  for (const std::string& name : frame.benchmarks)
    if (std::ranges::find(points, name, &PointRecord::benchmark) == points.end())
      list.push_back(name + " has no result");
  for (const auto* point : points) {
    if (!measured(*point)) list.push_back(point->benchmark + " has no result");
    if (point->verified == false) list.push_back(point->benchmark + " failed its verification");
    if (has_flag(*point, "smaller_than_the_rules_ask"))
      list.push_back(point->benchmark + " is smaller than the rules ask");
    if (is_crowded(*point)) list.emplace_back(crowded_words);
  }
}

void add_reasons_of_schedule(const Own& points, const HpccFrame& frame, std::vector<std::string>& list) {
  for (HpccShortage& one : hpcc_shortages(frame))
    if (std::ranges::any_of(points, [&](const PointRecord* point) {
          return measured(*point) &&
                 std::ranges::find(one.benchmarks, point->benchmark) != one.benchmarks.end();
        }))
      list.push_back(std::move(one.words));
}

std::vector<std::string> reasons(const Own& points, const Found& found, const HpccFrame& frame) {
  std::vector<std::string> list;
  if (!found.has(solver)) list.emplace_back("the linear solver is not among the tests");
  const auto* run = found.value("Sy_run");
  if (run != nullptr && *run == record::Value(std::string("optimized")))
    list.emplace_back("an optimized run, which the rules allow beside a base run only");
  if (frame.threshold && !(*frame.threshold > 0))
    list.emplace_back("without a threshold above 0 residuals are not checked");
  add_reasons_of_schedule(points, frame, list);
  add_reasons_of_tests(points, frame, list);
  std::vector<std::string> once;
  for (std::string& one : list)
    if (std::ranges::find(once, one) == once.end()) once.push_back(std::move(one));
  return once;
}

void add_keys(record::SummaryRecord& summary, const Found& found, const record::Members& general,
              bool success) {
  for (const auto& key : hpcc::summary_keys()) {
    const auto* value = found.value(key.name);
    if (value == nullptr) value = record::find(general, key.name);
    summary.classic.emplace_back(std::string(key.name), key.name == "Success"
                                                            ? record::Value(std::int64_t{success ? 1 : 0})
                                                        : value == nullptr ? initial(key)
                                                                           : in_format(key, *value));
  }
}

void add_huge_pages(record::SummaryRecord& summary, const Found& found) {
  for (const auto& [name, point] : found.speaking())
    if (const auto share = number_of(record::find(point->classic, huge_pages)))
      summary.classic.emplace_back("Sy_" + name + "_huge_page_share", *share);
}

/// Time of each execution that counts on its slowest process; empty if the record does not tell. The first trial of
/// STREAM warms up.
std::vector<double> executions(const record::PointRecord& point) {
  const auto* passes = record::list_of(record::find(point.classic, "passes_s"));
  if (passes == nullptr) return {};
  const bool warms_up = point.benchmark.ends_with("STREAM") && passes->size() > 1;
  return {passes->begin() + (warms_up ? 1 : 0), passes->end()};
}

/// Shortest and longest execution; of `time_s` if the record does not tell them.
std::optional<std::pair<double, double>> extremes(const record::PointRecord& point) {
  if (const auto times = executions(point); !times.empty()) {
    const auto [least, most] = std::ranges::minmax(times);
    return std::pair(least, most);
  }
  const auto* time = statistics(point, "time_s");
  if (time == nullptr || !time->min || !time->max) return std::nullopt;
  return std::pair(*time->min, *time->max);
}

/// Median of the executions that count.
std::optional<double> median_s(const record::PointRecord& point) {
  if (auto times = executions(point); !times.empty()) return stats::median(std::move(times));
  const auto* time = statistics(point, "time_s");
  return time == nullptr ? std::nullopt : time->median;
}

void add_times(record::SummaryRecord& summary, const Found& found) {
  for (const auto& [name, point] : found.speaking()) {
    const auto typical = median_s(*point);
    if (point->benchmark == messages || !typical) continue;
    summary.classic.emplace_back("Sy_" + name + "_median_s", *typical);
    if (const auto ends = extremes(*point); ends && *typical > 0)
      summary.classic.emplace_back("Sy_" + name + "_spread", (ends->second - ends->first) / *typical);
  }
}

/// Adds all other values of the points whose names begin with Sy_.
void add_others(record::SummaryRecord& summary, const Found& found) {
  for (const auto& [label, point] : found.speaking())
    for (const auto& [name, value] : point->classic)
      if (name.starts_with("Sy_") && name != huge_pages && record::find(summary.classic, name) == nullptr)
        summary.classic.emplace_back(name, value);
}

/// Corrects the general value by what computed the transforms: the program may have a library that it did not use.
void set_transforms(Members& general, const Found& found) {
  const auto used = word_of(found.value("FFT_API"));
  if (used.empty()) return;
  const auto value = std::ranges::find(general, "CPS_USING_FFTW", &Members::value_type::first);
  value->second = std::int64_t{used.starts_with("FFTW") ? 1 : 0};
}

/// What computed the transforms, a library with its version; empty if nothing tells.
std::string transforms(const Found& found, const HpccFrame& frame) {
  const auto used = word_of(found.value("Sy_FFT"));
  if (!used.empty() && (frame.transforms.empty() || !used.starts_with(frame.transforms))) return used;
  return frame.transforms.empty() ? "" : frame.transforms + ' ' + frame.transforms_version;
}

void add_own(record::SummaryRecord& summary, const Found& found, const HpccFrame& frame) {
  if (!frame.version.empty()) summary.classic.emplace_back("Sy_version", frame.version);
  for (const char* key : {"Sy_run", "Sy_BLAS", "Sy_BLAS_kernel", "Sy_BLAS_trial", "Sy_DGEMM_peak_share"})
    if (const auto* text = found.value(key)) summary.classic.emplace_back(key, *text);
  if (auto text = transforms(found, frame); !text.empty())
    summary.classic.emplace_back("Sy_FFT", std::move(text));
  add_others(summary, found);
  add_times(summary, found);
  add_huge_pages(summary, found);
}

}  // namespace

std::optional<double> hpcc_typical_s(const record::PointRecord& point) {
  const auto of_first = number_of(record::find(point.classic, "figure_s"));
  return of_first ? of_first : median_s(point);
}

HpccFrame hpcc_frame(const record::RunRecord& run) {
  HpccFrame frame;
  const Json config = member(run.config.json(), "hpcc"), fft = member(run.libraries.json(), "fft");
  frame.version = word(member(run.program.json(), "version"));
  frame.benchmarks = benchmarks_of(run.plan_sequence);
  frame.tick_s = number_of_json(member(member(run.clock.json(), "mpi_wtime"), "tick_s"));
  frame.threshold = number_of_json(member(config, "threshold"));
  frame.memory = memory_of(config);
  frame.smooth_lengths = member(config, "fft_235") == true;
  frame.transforms = word(member(fft, "name"));
  frame.transforms_version = word(member(fft, "version"));
  frame.schedule = schedule_of(config);
  read_grids(config, frame);
  return frame;
}

std::vector<HpccShortage> hpcc_shortages(const HpccFrame& frame) {
  const hpcc::Settings rules;
  const HpccFrame::Schedule& had = frame.schedule;
  std::vector<HpccShortage> list;
  const auto fewer = [&](std::optional<std::int64_t> had_of_them, std::int64_t needed, const char* what,
                         HpccShortage shortage) {
    if (!had_of_them || *had_of_them >= needed) return;
    shortage.words += ": fewer than " + std::to_string(needed) + ' ' + what;
    list.push_back(std::move(shortage));
  };
  fewer(had.stream_trials, rules.effort.stream_trials, "trials",
        {{"StarSTREAM", "SingleSTREAM"}, {}, "STREAM"});
  // Placements that are cheap may be more than it says.
  fewer(had.placements, rules.effort.placements, "placements", {{"PTRANS"}, {}, "PTRANS"});
  fewer(had.ring_patterns, rules.latency.random_rings, "random rings",
        {{messages}, "random_ring_latency_s", "latency"});
  if (had.updates_share && *had.updates_share < rules.effort.updates_share)
    list.push_back(
        {{"MPIRandomAccess", "StarRandomAccess", "SingleRandomAccess", "MPIRandomAccess_LCG",
          "StarRandomAccess_LCG", "SingleRandomAccess_LCG"},
         {},
         "RandomAccess: " + units::percent(*had.updates_share) + " of the updates that its table asks for"});
  if (had.update_bound_s && *had.update_bound_s < rules.update_bound_s)
    list.push_back(
        {{"MPIRandomAccess", "MPIRandomAccess_LCG"},
         {},
         "MPIRandomAccess: a bound below " + units::format_significant(rules.update_bound_s, 3) + " s"});
  return list;
}

Members hpcc_general_values(const HpccFrame& frame, int processes) {
  Members values;
  add_run(values, frame, processes);
  add_sizes(values);
  add_constants<double>(values, "HPL_dMACH_");
  add_constants<float>(values, "HPL_sMACH_");
  values.emplace_back("dweps", std::numeric_limits<double>::epsilon() / 2);
  values.emplace_back("sweps", static_cast<double>(std::numeric_limits<float>::epsilon() / 2));
  add_choices(values, frame);
  return values;
}

std::optional<record::SummaryRecord> hpcc_summary(std::span<const PointRecord> points,
                                                  const HpccFrame& frame) {
  Own own;
  for (const auto& point : points)
    if (point.suite == "hpcc") own.push_back(&point);
  if (own.empty()) return std::nullopt;
  Found found;
  record::SummaryRecord summary;
  for (const auto* point : own) {
    if (measured(*point)) found.add(*point);
    (measured(*point) ? summary.inputs_used : summary.inputs_missing) += 1;
  }
  summary.name = summary.suite = "hpcc";
  summary.inputs_select = "hpcc/*";
  summary.processes = own.front()->processes;
  for (const auto& figure : figures)
    if (const auto value = number_of(found.value(figure.key)))
      summary.values.emplace_back(figure.name, hpcc::in_base_units(figure.key, *value));
  summary.verified = all_verified(own);
  const bool checked = summary.verified == true && frame.threshold.value_or(1) > 0;
  auto general = hpcc_general_values(frame, summary.processes);
  set_transforms(general, found);
  add_keys(summary, found, general, checked && complete(own, frame));
  add_own(summary, found, frame);
  summary.not_official_because = reasons(own, found, frame);
  summary.official = summary.not_official_because.empty();
  return summary;
}

}  // namespace steelyard::analysis
