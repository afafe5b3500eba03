// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/definition.hpp"

#include <algorithm>
#include <stdexcept>

namespace steelyard::beffio {
namespace {

using suites::BlockPlan;
using suites::PointPlan;

constexpr suites::BenchmarkInfo infos[] = {
    {.name = benchmark_name,
     .classification = "experiment",
     .min_processes = 1,
     .in_default = true,
     .sizes = "43 patterns: 1 kB, 32 kB, 1 MB, each also + 8 byte, 1/128 of the memory per process",
     .metrics = "bandwidth_byte_s, time_s; summary b_eff_io",
     .source = "000 sections 2.2, 3.2, 5, 6"}};

/// What the planner thinks of a file system that nobody has measured yet.
double expected_s(const Settings& settings, const Pattern& pattern, int processes, int partitions) {
  constexpr double assumed_byte_s = 1e9, between_s = 2e-3;
  const double scheduled_s = unit_s(settings.total_s, partitions, settings.rewriting) * pattern.units;
  const double once_s = static_cast<double>(processes * pattern.memory.count()) / assumed_byte_s;
  return std::max(scheduled_s, once_s) + between_s;
}

PointPlan point(const Settings& settings, const Stretch& stretch, const Pattern& pattern, int partitions) {
  PointPlan plan;
  plan.params = identity(stretch.access, pattern);
  plan.key = record::make_key(suite_name, benchmark_name, stretch.processes, 1, 1, plan.params);
  plan.bytes = pattern.disk.count();
  plan.memory_byte = buffer_size(settings).count();
  plan.classic_operations = 1;
  plan.prescribed_s = expected_s(settings, pattern, stretch.processes, partitions);
  plan.cost.latency_s = *plan.prescribed_s;
  return plan;
}

}  // namespace

std::vector<Stretch> stretches(const Settings& settings, int world) {
  std::vector<Stretch> list;
  const auto sizes = partitions(settings, world);
  const auto add = [&](Access access, std::size_t p) {
    if (sizes[p] <= world) list.push_back({access, p, sizes[p]});
  };
  if (settings.order == Order::by_access) {
    for (const auto access : accesses)
      for (std::size_t p = 0; p < sizes.size(); ++p) add(access, p);
  } else {
    for (std::size_t p = 0; p < sizes.size(); ++p)
      for (const auto access : accesses) add(access, p);
  }
  return list;
}

std::vector<int> measured_patterns(Access access, Rewriting rewriting) {
  std::vector<int> numbers;
  const bool scatter_only = access == Access::rewrite && rewriting == Rewriting::scatter_only;
  const std::size_t count = scatter_only ? patterns_of(PatternType::scatter).count : pattern_count;
  for (std::size_t p = 0; p < count; ++p) numbers.push_back(static_cast<int>(p));
  return numbers;
}

record::Params identity(Access access, const Pattern& pattern) {
  record::Params params;
  params["access"] = std::string(text(access));
  params["pattern"] = std::int64_t{pattern.number};
  if (!pattern.fills_up) params["chunk_byte"] = pattern.disk.count();
  return params;
}

Which which(const record::Params& params) {
  const auto* access = record::find(params, "access");
  const auto* pattern = record::find(params, "pattern");
  const auto* word = access == nullptr ? nullptr : std::get_if<std::string>(access);
  if (word == nullptr || pattern == nullptr) throw std::invalid_argument("no point of b-eff-io");
  const auto found = std::ranges::find(accesses, *word, [](Access one) { return text(one); });
  if (found == accesses.end()) throw std::invalid_argument("no access method '" + *word + "'");
  return {*found, static_cast<int>(record::number(*pattern))};
}

std::span<const suites::BenchmarkInfo> Definition::catalogue() const {
  return infos;
}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks, int world) const {
  std::vector<BlockPlan> blocks;
  if (benchmarks.empty()) return blocks;
  const auto table = pattern_table(largest_chunk(settings_));
  const int count = static_cast<int>(partitions(settings_, world).size());
  for (const auto& stretch : stretches(settings_, world)) {
    BlockPlan block;
    block.suite = suite_name;
    block.benchmark = benchmark_name;
    block.processes = stretch.processes;
    block.files = true;
    block.indivisible = true;
    for (const int number : measured_patterns(stretch.access, settings_.rewriting))
      block.points.push_back(point(settings_, stretch, table[static_cast<std::size_t>(number)], count));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

record::Members Definition::configuration() const {
  std::string because;
  for (const auto& sentence : departures(settings_)) because += (because.empty() ? "" : "\n") + sentence;
  record::Members members;
  const auto optional = [&](const char* name, const std::optional<std::int64_t>& value) {
    if (value) members.emplace_back(name, *value);
  };
  if (settings_.memory_mebibyte > 0)
    members.emplace_back("memory_per_process_byte", settings_.memory_mebibyte * mebi.count());
  if (settings_.system_mebibyte)
    members.emplace_back("system_memory_byte", *settings_.system_mebibyte * mebi.count());
  members.emplace_back("largest_chunk_byte", largest_chunk(settings_).count());
  if (!settings_.partitions.empty())
    members.emplace_back("partitions",
                         std::vector<double>(settings_.partitions.begin(), settings_.partitions.end()));
  optional("cache_byte", settings_.cache_byte);
  optional("most_byte", settings_.most_byte);
  const record::Members rest = {{"scheduled_s", settings_.total_s},
                                {"shared_pointers", settings_.pointer == Pointer::shared},
                                {"unique", settings_.unique},
                                {"rewrite_all", settings_.rewriting == Rewriting::all_types},
                                {"keep", settings_.keep},
                                {"formula", std::string(text(settings_.formula))},
                                {"order", std::string(text(settings_.order))},
                                {"control", std::string(text(settings_.control))},
                                {"align_byte", settings_.align.count()},
                                {"drop_cache", settings_.drop_cache},
                                {"told_errors", std::int64_t{settings_.told_errors}},
                                {"hints", static_cast<std::int64_t>(settings_.hints.rules().size())},
                                {"not_official_because", because}};
  members.insert(members.end(), rest.begin(), rest.end());
  return members;
}

}  // namespace steelyard::beffio
