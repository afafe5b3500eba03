// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/definition.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "units/text.hpp"

namespace steelyard::ftio {
namespace {

using suites::BlockPlan;
using suites::PointPlan;

constexpr suites::BenchmarkInfo infos[] = {
    {.name = benchmark_name,
     .classification = "experiment",
     .min_processes = 1,
     .in_default = true,
     .sizes = "matrix of order i^2 P; i: the lowest that P allows from sqrt(P) + 1 on",
     .metrics = "io_fraction, flop_rate_flop_s, time_s; summary ftio",
     .source = "FTIO paper, 3, 5",
     .condition = "a matrix beyond the page cache, else it is said to be of the cache"}};

/// Seconds by the rates of a survey: of what a process reads and writes, its way to the disk at the end of
/// each phase, the two files that are removed, and the rows that all transform together.
double expected_s(const Settings& settings, const Shape& shape, const suites::Rates& rates) {
  const Batches& batches = settings.batches;
  const double call_s = settings.access == FileAccess::posix ? rates.file_own_call_s : rates.file_call_s;
  const Traffic moved = timed_traffic(shape, batches) += traffic(shape, Phase::verify, batches);
  const double files_byte = 2 * static_cast<double>(shape.matrix().count()) / shape.processes;
  const double rewritten_byte = static_cast<double>(moved.written_byte) - files_byte;
  const double files_s =
      static_cast<double>(moved.read_byte) / rates.file_read_byte_s + files_byte / rates.file_write_byte_s +
      files_byte / rates.file_flush_byte_s + rewritten_byte / rates.file_rewrite_byte_s +
      rewritten_byte / rates.file_reflush_byte_s + static_cast<double>(moved.calls) * call_s +
      2 * (rates.file_open_s + rates.file_sync_s) + files_byte / rates.file_remove_byte_s;
  const double row_flop_s = smooth(shape) ? rates.smooth_row_flop_s : rates.distributed_row_flop_s;
  return files_s + flops(shape) / shape.processes / row_flop_s;
}

PointPlan point(const Settings& settings, const Shape& shape, int run, const suites::Rates& rates) {
  PointPlan plan;
  plan.params = identity(settings, shape.parameter, run);
  plan.specification = RunSpec{shape.parameter, run};
  plan.key = record::make_key(suite_name, benchmark_name, shape.processes, 1, 1, plan.params);
  if (!valid_parameter(shape.processes, shape.parameter)) {
    plan.skip = record::ReasonCode::space;
    plan.skip_text =
        "a matrix of " + std::to_string(shape.processes) + " processes has more bytes than can be counted";
    return plan;
  }
  plan.bytes = shape.matrix().count();
  plan.memory_byte = memory_bound(shape, settings.batches).count();
  plan.classic_operations = 1;
  plan.prescribed_s = expected_s(settings, shape, rates);
  plan.cost.latency_s = *plan.prescribed_s;
  plan.gives_way = run > 1;
  if (settings.needs_budget_s) {
    plan.skip = record::ReasonCode::time;
    plan.skip_text = suites::needs_budget(*settings.needs_budget_s);
  }
  return plan;
}

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// Settings with the largest parameter that fits; `best` if there is none.
Settings grown(const Settings& best, double seconds, const suites::World& world) {
  constexpr std::size_t tried = 256;
  Settings settings = best, found = best;
  const int some = processes(best, world.processes);
  if (!best.parameters.empty()) return found;
  for (const auto parameter : valid_parameters(some, default_parameter(some), tried)) {
    settings.parameters = {parameter};
    if (Shape{some, parameter}.matrix() > gibi || expected_s(settings, world) > seconds) break;
    found = settings;
  }
  return found;
}

}  // namespace

Bytes memory_bound(const Shape& shape, const Batches& batches) {
  constexpr std::int64_t sections = 8, arrays = 2;
  const std::int64_t rows = std::max(batches.transform_rows, batches.exchange_rows);
  return (sections + arrays * (rows - 1)) * shape.section();
}

record::Params identity(const Settings& settings, std::int64_t parameter, int run) {
  record::Params params;
  params["input_parameter"] = parameter;
  params["run"] = std::int64_t{run};
  if (settings.access != FileAccess::posix) params["file_access"] = std::string(text(settings.access));
  if (settings.cache != PageCache::keep) params["page_cache"] = std::string(text(settings.cache));
  if (settings.batches.transform_rows > 1) params["rows"] = settings.batches.transform_rows;
  if (settings.batches.exchange_rows > 1) params["exchange_rows"] = settings.batches.exchange_rows;
  return params;
}

Definition::Definition(Settings settings)
    : DefinedSuite(suite_name, infos, {suites::RateGroup::files, suites::RateGroup::rows},
                   std::move(settings)) {}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& place) const {
  const int world = place.processes;
  std::vector<BlockPlan> blocks;
  if (benchmarks.empty()) return blocks;
  for (const std::int64_t parameter : parameters(settings_, world))
    for (int run = 1; run <= settings_.runs; ++run) {
      BlockPlan block;
      block.suite = suite_name;
      block.benchmark = benchmark_name;
      block.processes = processes(settings_, world);
      block.files = true;
      block.indivisible = true;
      block.points.push_back(point(settings_, {block.processes, parameter}, run, place.rates));
      blocks.push_back(std::move(block));
    }
  return blocks;
}

record::Members Definition::configuration() const {
  const std::string because = units::joined(departures(settings_), "\n");
  record::Members members;
  if (!settings_.parameters.empty())
    members.emplace_back("parameters",
                         std::vector<double>(settings_.parameters.begin(), settings_.parameters.end()));
  if (settings_.processes) members.emplace_back("processes", std::int64_t{*settings_.processes});
  if (settings_.memory_byte > 0) members.emplace_back("memory_byte", settings_.memory_byte);
  if (settings_.clock_hz) members.emplace_back("clock_hz", *settings_.clock_hz);
  const record::Members rest = {{"runs", std::int64_t{settings_.runs}},
                                {"file_access", std::string(text(settings_.access))},
                                {"page_cache", std::string(text(settings_.cache))},
                                {"rows", settings_.batches.transform_rows},
                                {"exchange_rows", settings_.batches.exchange_rows},
                                {"keep", settings_.keep},
                                {"not_official_because", because}};
  members.insert(members.end(), rest.begin(), rest.end());
  return members;
}

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  Settings found = grown(best, time.seconds, world);
  while (found.runs > 1 && expected_s(found, world) > time.seconds) --found.runs;
  if (const double one_s = expected_s(found, world); one_s > time.seconds)
    found.needs_budget_s = time.budget_for(one_s);
  return found;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  Settings once = best;
  once.runs = 1;
  const double all = std::numeric_limits<double>::infinity();
  return {expected_s(once, world), expected_s(grown(best, all, world), world)};
}

}  // namespace steelyard::ftio
