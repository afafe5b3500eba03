// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/definition.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "record/point_view.hpp"
#include "units/text.hpp"

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
     .source = "b_eff paper, 2.2, 3.2, 5, 6",
     .condition = "files beyond the page cache, else it is said to be of the cache"}};

/// Part of the memory in which systems let data wait before those who write have to wait for the disk.
constexpr double unwritten_share = 0.2;
/// Bytes written by an access method that are taken to lie in memory that was in use a moment ago;
/// what is more lies in memory that is new, at the rate that a survey has for that. An assumption: no
/// probe writes as much.
constexpr double used_byte = 2.0 * (1 << 30);

/// Rates of a survey, in which all processes share the memory and the disk, for `processes` of them that
/// write `volume_byte`.
suites::Rates shared_by(int processes, double volume_byte, const suites::World& world) {
  suites::Rates rates = world.rates;
  const double share = static_cast<double>(world.processes) / processes;
  const double fresh = std::max(0.0, 1 - used_byte / std::max(volume_byte, 1.0));
  rates.file_together_call_s =
      rates.file_call_s + std::max(0.0, rates.file_together_call_s - rates.file_call_s) / share;
  rates.file_together_write_byte_s *= share;
  rates.file_together_read_byte_s *= share;
  rates.file_write_byte_s = 1 / (1 / rates.file_write_byte_s + fresh / (share * rates.touch_byte_s));
  for (double* rate : {&rates.file_flush_byte_s, &rates.file_reflush_byte_s, &rates.file_remove_byte_s})
    *rate *= share;
  return rates;
}

/// Seconds of a call of a process for `byte` bytes.
double call_s(Access access, bool together, double byte, const suites::Rates& rates) {
  const double alone_byte_s = access == Access::read      ? rates.file_read_byte_s
                              : access == Access::rewrite ? rates.file_rewrite_byte_s
                                                          : rates.file_write_byte_s;
  const double together_byte_s =
      access == Access::read ? rates.file_together_read_byte_s : rates.file_together_write_byte_s;
  return together ? rates.file_together_call_s + byte / std::min(together_byte_s, alone_byte_s)
                  : rates.file_call_s + byte / alone_byte_s;
}

/// Calls of a process by each pattern in one access: as many as its time allows, or the volume; a segment has
/// room for what separate files took.
double calls_of(const Settings& settings, const Pattern& pattern, double unit_s, int processes,
                const suites::Rates& rates) {
  const auto byte = static_cast<double>(pattern.memory.count());
  if (pattern.units == 0 || byte <= 0) return 1;
  const bool together = collective(pattern.type) && !size_driven(pattern.type);
  double calls = unit_s * pattern.units / call_s(Access::write, together, byte, rates);
  if (settings.most_byte)
    calls = std::min(calls, static_cast<double>(*settings.most_byte) / units_of_table() * pattern.units /
                                (byte * processes));
  return std::max(calls, 1.0);
}

/// Seconds by the rates of a survey. What a process writes goes to the cache while it is timed, and to the
/// disk after that as far as it may wait so long; it is rewritten and read by as many calls, and removed
/// when it has been read.
double expected_s(const Settings& settings, const AccessBlock& block, const Pattern& pattern, int partitions,
                  const suites::World& world) {
  const bool reads = block.access == Access::read, rewrites = block.access == Access::rewrite;
  const double one_unit_s = unit_s(settings.total_s, partitions, settings.rewriting);
  double volume_byte = units_of_table() * one_unit_s * world.rates.file_write_byte_s * block.processes;
  if (settings.most_byte) volume_byte = std::min(volume_byte, static_cast<double>(*settings.most_byte));
  const suites::Rates rates = shared_by(block.processes, volume_byte, world);
  const auto call_byte = static_cast<double>(pattern.memory.count());
  const double calls = calls_of(settings, pattern, one_unit_s, block.processes, rates);
  const double calls_s = calls * call_s(block.access, collective(pattern.type), call_byte, rates);
  const double byte = calls * call_byte;
  const double waiting_byte =
      std::min(byte, unwritten_share * static_cast<double>(settings.memory_mebibyte << 20));
  const double flush_byte_s = rewrites ? rates.file_reflush_byte_s : rates.file_flush_byte_s;
  const double flushed_s = reads ? 0 : rates.file_sync_s + waiting_byte / flush_byte_s;
  const double removed_s = reads && !settings.keep ? byte / rates.file_remove_byte_s : 0;
  return calls_s + flushed_s + removed_s + 4 * rates.barrier_s;
}

PointPlan point(const Settings& settings, const AccessBlock& access_block, const Pattern& pattern,
                int partitions, const suites::World& world) {
  PointPlan plan;
  plan.params = identity(access_block.access, pattern);
  plan.specification = PatternSpec{access_block.access, pattern.number};
  plan.key = record::make_key(suite_name, benchmark_name, access_block.processes, 1, 1, plan.params);
  plan.bytes = pattern.disk.count();
  plan.memory_byte = buffer_size(settings).count();
  plan.classic_operations = 1;
  plan.prescribed_s = expected_s(settings, access_block, pattern, partitions, world);
  plan.cost.latency_s = *plan.prescribed_s;
  if (settings.needs_budget_s) {
    plan.skip = record::ReasonCode::time;
    plan.skip_text = suites::needs_budget(*settings.needs_budget_s);
  }
  return plan;
}

constexpr double step = 0.9;
constexpr double shortest_s = 0.1;  // scheduled: two thousandths for the shortest pattern

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// Part of the expected time in which files are written initially.
double writing_share(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  double writing = 0, all = 0;
  for (const auto& block : Definition(settings).plan(names, world))
    for (const auto& point : block.points) {
      all += point.prescribed_s.value_or(0);
      if (point.spec<PatternSpec>().access == Access::write) writing += point.prescribed_s.value_or(0);
    }
  return all > 0 ? writing / all : 1;
}

/// Settings with the same chunks and less time that take at most `seconds`; nullopt if none do.
std::optional<Settings> shortened(Settings settings, double seconds, const suites::World& world) {
  for (;; settings.total_s = std::max(settings.total_s * step, shortest_s)) {
    if (expected_s(settings, world) <= seconds) return settings;
    if (settings.total_s <= shortest_s) return std::nullopt;
  }
}

Settings least(const Settings& best, const suites::World& world) {
  Settings settings = hurried(best, world.processes);
  settings.total_s = shortest_s;
  return settings;
}

/// Numbers of the patterns that an access method measures.
std::vector<int> measured_patterns(Access access, const Settings& settings) {
  std::vector<int> numbers;
  const bool scatter_only = access == Access::rewrite && settings.rewriting == Rewriting::scatter_only;
  const std::size_t all = settings.random ? pattern_count : defined_patterns;
  const std::size_t count = scatter_only ? patterns_of(PatternType::scatter).count : all;
  for (std::size_t p = 0; p < count; ++p) numbers.push_back(static_cast<int>(p));
  return numbers;
}

}  // namespace

std::vector<AccessBlock> access_blocks(const Settings& settings, int world) {
  std::vector<AccessBlock> list;
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

record::Params identity(Access access, const Pattern& pattern) {
  record::Params params;
  params["access"] = std::string(text(access));
  params["pattern"] = std::int64_t{pattern.number};
  if (!pattern.fills_up) params["chunk_byte"] = pattern.disk.count();
  return params;
}

PatternSpec recorded_spec(const record::Params& params) {
  const auto access = record::word_of(record::find(params, "access"));
  const auto* pattern = record::find(params, "pattern");
  if (access.empty() || pattern == nullptr) throw std::invalid_argument("no point of b-eff-io");
  const auto found = std::ranges::find(accesses, access, [](Access one) { return text(one); });
  if (found == accesses.end()) throw std::invalid_argument("no access method '" + access + "'");
  return {*found, static_cast<int>(record::number(*pattern))};
}

Definition::Definition(Settings settings)
    : DefinedSuite(suite_name, infos, {suites::RateGroup::messages, suites::RateGroup::files},
                   std::move(settings)) {}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& world) const {
  std::vector<BlockPlan> blocks;
  if (benchmarks.empty()) return blocks;
  const int count = static_cast<int>(partitions(settings_, world.processes).size());
  for (const auto& access_block : access_blocks(settings_, world.processes)) {
    const auto table = pattern_table(settings_, access_block.processes);
    BlockPlan block;
    block.suite = suite_name;
    block.benchmark = benchmark_name;
    block.processes = access_block.processes;
    block.files = true;
    block.indivisible = true;
    for (const int number : measured_patterns(access_block.access, settings_))
      block.points.push_back(
          point(settings_, access_block, table[static_cast<std::size_t>(number)], count, world));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

record::Members Definition::configuration() const {
  const std::string because = units::joined(departures(settings_), "\n");
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
  if (settings_.largest_together)
    members.emplace_back("largest_chunks_together_byte", settings_.largest_together->count());
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
                                {"random", settings_.random},
                                {"told_errors", std::int64_t{settings_.told_errors}},
                                {"hints", static_cast<std::int64_t>(settings_.hints.rules().size())},
                                {"not_official_because", because}};
  members.insert(members.end(), rest.begin(), rest.end());
  return members;
}

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  auto found = shortened(best, time.seconds, world);
  if (!found) found = shortened(hurried(best, world.processes), time.seconds, world);
  if (found) {
    if (found->total_s < best.total_s) found->allowed_write_s = time.seconds * writing_share(*found, world);
    return *found;
  }
  Settings settings = least(best, world);
  settings.needs_budget_s = time.budget_for(expected_s(settings, world));
  return settings;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  return {expected_s(least(best, world), world), expected_s(best, world)};
}

}  // namespace steelyard::beffio
