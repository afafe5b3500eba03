// SPDX-License-Identifier: Apache-2.0
#include "beff_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "record/json.hpp"
#include "suites/beff/patterns.hpp"
#include "suites/beff/settings.hpp"

namespace steelyard::analysis {
namespace {

using record::Json;
constexpr std::array<const char*, 3> method_names = {"Sndrcv", "Alltoal", "non-blk"};
constexpr std::size_t last_full_length = 18;
constexpr int best_of_long = 2;

struct Place {
  std::size_t length, pattern;
  int method;
};

std::string text(beff::PatternSet set) {
  if (set == beff::PatternSet::ring) return "ring";
  return set == beff::PatternSet::random ? "random" : "additional";
}

int chosen_method(const BeffExperiment& experiment, const beff::Pattern& pattern) {
  const auto& without = experiment.without_methods;
  const bool excluded = std::ranges::find(without, best_of_long) != without.end();
  return pattern.sendrecv_only || excluded ? 0 : best_of_long;
}

std::vector<int> repetitions_of(const BeffExperiment& experiment, const beff::Pattern& pattern,
                                const Place& place) {
  std::vector<int> list;
  for (int r = 0; r < experiment.repetitions; ++r) {
    const bool cut = experiment.shortened && place.length > last_full_length;
    if (cut && place.method != chosen_method(experiment, pattern)) continue;
    if (cut && place.length == 20 && r == 2) continue;
    list.push_back(r);
  }
  return list;
}

double iterations_at(const BeffExperiment& experiment, std::size_t length) {
  if (experiment.shortened && length > last_full_length) return 1;
  return std::max(1.0, 300.0 / static_cast<double>(1 + length * length));
}

void describe(record::PointRecord& point, const beff::Pattern& pattern) {
  point.classic = {{"pattern_name", pattern.name},
                   {"set", text(pattern.set)},
                   {"slots", std::int64_t{pattern.slots}},
                   {"messages", pattern.messages},
                   {"used", std::int64_t{pattern.used}}};
}

void add_loops(record::PointRecord& point, const BeffExperiment& experiment, const beff::Pattern& pattern,
               const Place& place, Bytes length) {
  const double n = std::floor(iterations_at(experiment, place.length));
  std::vector<double> numbers, iterations, loop_s, low, mean, high;
  for (const int r : repetitions_of(experiment, pattern, place)) {
    const double t = iteration_s(experiment, r, place.pattern, length, pattern.slots, place.method);
    const double w = static_cast<double>(length.count()) * pattern.slots / t;
    numbers.push_back(r + 1);
    iterations.push_back(n);
    loop_s.push_back(n * t);
    low.push_back(w);
    mean.push_back(1.05 * w);
    high.push_back(1.1 * w);
  }
  if (numbers.empty()) return;
  const auto loops = static_cast<std::int64_t>(numbers.size());
  point.schedule.emplace().warmup_ops = place.length < last_full_length ? loops : 0;
  point.verified = true;
  point.classic.emplace_back("repetition", numbers);
  point.classic.emplace_back("looplength", iterations);
  point.classic.emplace_back("repeats_s", loop_s);
  point.classic.emplace_back("min_byte_s", low);
  point.classic.emplace_back("avg_byte_s", mean);
  point.classic.emplace_back("max_byte_s", high);
}

record::PointRecord point_of(const BeffExperiment& experiment, const beff::Pattern& pattern,
                             const Place& place, Bytes length) {
  record::PointRecord point;
  point.suite = "b-eff";
  point.benchmark = "b_eff";
  point.processes = experiment.processes;
  point.params["message_byte"] = length.count();
  point.params["method"] = method_names[static_cast<std::size_t>(place.method)];
  point.params["pattern"] = static_cast<std::int64_t>(place.pattern);
  if (pattern.set == beff::PatternSet::random) point.params["seed"] = std::int64_t{1};
  point.key = record::make_key(point.suite, point.benchmark, point.processes, 1, 1, point.params);
  describe(point, pattern);
  add_loops(point, experiment, pattern, place, length);
  return point;
}

bool used(const BeffExperiment& experiment, const beff::Pattern& pattern, int method) {
  if (pattern.sendrecv_only) return method == 0;
  return std::ranges::find(experiment.without_methods, method) == experiment.without_methods.end();
}

}  // namespace

double iteration_s(const BeffExperiment& experiment, int repetition, std::size_t pattern, Bytes length,
                   int slots, int method) {
  constexpr std::array<double, 3> latency_s = {1.0e-6, 4.0e-6, 2.5e-6};
  constexpr std::array<double, 3> share = {0.7, 0.5, 1.0};
  constexpr std::array<double, 3> disturbed = {1.08, 1.0, 1.05};
  const auto m = static_cast<std::size_t>(method);
  const double of_pattern = 1 + 0.03 * static_cast<double>(pattern % 11);
  const double transfer = static_cast<double>(length.count()) / (experiment.byte_s * share[m]);
  return slots * (latency_s[m] + transfer) * of_pattern * disturbed[static_cast<std::size_t>(repetition) % 3];
}

std::vector<record::PointRecord> beff_points(const BeffExperiment& experiment) {
  const beff::PatternTable table(experiment.processes, {.seed = 1, .polygons = experiment.polygons});
  const auto lengths = beff::message_lengths(experiment.longest);
  std::vector<record::PointRecord> points;
  for (std::size_t k = 0; k < lengths.size(); ++k)
    for (std::size_t p = 0; p < table.patterns().size(); ++p)
      for (int m = 0; m < 3; ++m)
        if (used(experiment, table.patterns()[p], m))
          points.push_back(point_of(experiment, table.patterns()[p], {k, p, m}, lengths[k]));
  return points;
}

record::RunRecord beff_run_record(const BeffExperiment& experiment) {
  record::RunRecord run;
  run.program = Json{{"name", "steelyard"}, {"version", "1.2.3"}};
  run.config = Json{{"b-eff",
                     {{"memory_per_process_byte", 128 * experiment.longest.count()},
                      {"longest_byte", experiment.longest.count()},
                      {"seed", 1},
                      {"polygons", experiment.polygons},
                      {"repetitions", experiment.repetitions},
                      {"loop_time_s", 5e-3},
                      {"mark", experiment.mark},
                      {"not_official_because", experiment.because}}}};
  run.started_utc = "2026-11-20T08:36:21Z";
  run.processes = experiment.processes;
  run.threads_per_process = 2;
  run.nodes = 2;
  run.layout = Json{{"hosts", {"n001", "n002"}}};
  run.machine = Json{{"uname",
                      {{"sysname", "Linux"},
                       {"release", "6.1.0-18-amd64"},
                       {"version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)"},
                       {"machine", "x86_64"}}}};
  run.mpi = Json{{"library", "Open MPI v4.1.4"}};
  return run;
}

record::Value& member(record::PointRecord& point, std::string_view name) {
  const auto found =
      std::ranges::find(point.classic, name, [](const auto& one) { return std::string_view(one.first); });
  if (found == point.classic.end()) throw std::invalid_argument("no member " + std::string(name));
  return found->second;
}

}  // namespace steelyard::analysis
