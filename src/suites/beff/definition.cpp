// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/definition.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::beff {
namespace {

using suites::BlockPlan;
using suites::PointPlan;

constexpr suites::BenchmarkInfo infos[] = {{.name = benchmark_name,
                                            .classification = "experiment",
                                            .min_processes = 2,
                                            .in_default = true,
                                            .sizes = "21 lengths, 1 byte .. 1/128 of the memory per process",
                                            .metrics = "bandwidth_byte_s; summary b_eff",
                                            .source = "000 sections 2.1, 3.1, 4; 002"}};

bool measured(const Settings& settings, const Pattern& pattern, Method method) {
  if (pattern.sendrecv_only) return method == Method::sendrecv;
  return std::ranges::find(settings.without_methods, method) == settings.without_methods.end();
}

double expected_loop_s(const Pattern& pattern, Bytes bytes, double loop_time_s) {
  constexpr double assumed_byte_s = 1e9;
  return std::max(loop_time_s, static_cast<double>(pattern.messages * bytes.count()) / assumed_byte_s);
}

/// Stands for the whole experiment where it cannot be made.
std::optional<PointPlan> obstacle_to(const Settings& settings, int world) {
  PointPlan point;
  point.key = record::make_key(suite_name, benchmark_name, world, 1, 1, {});
  if (world < 2) {
    point.skip_code = "processes";
    point.skip_text = "b_eff needs at least 2 processes";
  } else if (!has_lengths(settings)) {
    point.skip_code = "memory";
    point.skip_text = "b_eff needs a memory of at least 1 MiB per process to derive its message lengths from";
  } else {
    return std::nullopt;
  }
  return point;
}

}  // namespace

std::vector<Place> places(const PatternTable& table, const Settings& settings) {
  std::vector<Place> all;
  for (std::size_t k = 0; k < length_count; ++k)
    for (std::size_t p = 0; p < table.patterns().size(); ++p) {
      const auto& pattern = table.patterns()[p];
      if (excluded(settings, pattern)) continue;
      for (const auto method : methods)
        if (measured(settings, pattern, method)) all.push_back({k, p, method});
    }
  return all;
}

record::Params identity(const Place& place, const PatternTable& table, const Settings& settings) {
  record::Params params;
  params["message_byte"] = message_lengths(longest(settings))[place.length].count();
  params["method"] = std::string(text(place.method));
  params["pattern"] = static_cast<std::int64_t>(place.pattern);
  if (table.patterns()[place.pattern].set == PatternSet::random)
    params["seed"] = static_cast<std::int64_t>(settings.seed);
  return params;
}

std::span<const suites::BenchmarkInfo> Definition::catalogue() const {
  return infos;
}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks, int world) const {
  if (benchmarks.empty()) return {};
  BlockPlan block;
  block.suite = suite_name;
  block.benchmark = benchmark_name;
  block.processes = world;
  block.indivisible = true;
  if (auto obstacle = obstacle_to(settings_, world)) {
    block.points.push_back(std::move(*obstacle));
    return {block};
  }
  const PatternTable table(world, {.seed = settings_.seed, .polygons = settings_.polygons});
  const auto lengths = message_lengths(longest(settings_));
  const auto memory = 2 * buffer_size(longest(settings_));
  for (const auto& place : places(table, settings_)) {
    PointPlan point;
    point.params = identity(place, table, settings_);
    point.key = record::make_key(suite_name, benchmark_name, world, 1, 1, point.params);
    point.bytes = lengths[place.length].count();
    point.memory_byte = memory.count();
    point.classic_operations = static_cast<std::uint64_t>(settings_.repetitions);
    point.cost.latency_s =
        expected_loop_s(table.patterns()[place.pattern], lengths[place.length], settings_.loop_time_s);
    block.points.push_back(std::move(point));
  }
  return {block};
}

record::Members Definition::configuration() const {
  std::string because;
  for (const auto& text : departures(settings_)) because += (because.empty() ? "" : "\n") + text;
  record::Members members;
  if (settings_.memory_mebibyte > 0)
    members.emplace_back("memory_per_process_byte", settings_.memory_mebibyte * mebi.count());
  if (has_lengths(settings_)) members.emplace_back("longest_byte", longest(settings_).count());
  const record::Members rest = {
      {"seed", static_cast<std::int64_t>(settings_.seed)},
      {"polygons", std::int64_t{settings_.polygons}},
      {"repetitions", std::int64_t{settings_.repetitions}},
      {"loop_time_s", settings_.loop_time_s},
      {"last_two_limit_s", settings_.last_two_limit_s},
      {"shorten_last_two", settings_.shorten_last_two},
      {"mark", settings_.mark.empty() && !because.empty() ? std::string("MOD") : settings_.mark},
      {"not_official_because", because}};
  members.insert(members.end(), rest.begin(), rest.end());
  if (settings_.rmax_flop_s) members.emplace_back("rmax_flop_s", *settings_.rmax_flop_s);
  return members;
}

}  // namespace steelyard::beff
