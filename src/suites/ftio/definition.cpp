// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/definition.hpp"

#include <algorithm>
#include <stdexcept>

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
     .source = "003 sections 3, 5"}};

/// What the planner thinks of a file system and a network that nobody has measured yet.
double expected_s(const Shape& shape, const Batches& batches) {
  constexpr double assumed_byte_s = 1e9, call_s = 2e-6, message_s = 1e-6, exchange_s = 5e-6, flop_s = 1e9,
                   ends_s = 0.05;
  const Traffic moved = timed_traffic(shape, batches) += traffic(shape, Phase::verify, batches);
  const double bytes = static_cast<double>((moved.read_byte + moved.written_byte) * shape.processes);
  const double exchanges = 6.0 * static_cast<double>(shape.order());
  return bytes / assumed_byte_s + static_cast<double>(moved.calls) * call_s +
         exchanges * (exchange_s + shape.processes * message_s) + flops(shape) / flop_s / shape.processes +
         ends_s;
}

PointPlan point(const Settings& settings, const Shape& shape, int run) {
  PointPlan plan;
  plan.params = identity(settings, shape.parameter, run);
  plan.key = record::make_key(suite_name, benchmark_name, shape.processes, 1, 1, plan.params);
  plan.bytes = shape.matrix().count();
  plan.memory_byte = memory_bound(shape, settings.batches).count();
  plan.classic_operations = 1;
  plan.prescribed_s = expected_s(shape, settings.batches);
  plan.cost.latency_s = *plan.prescribed_s;
  return plan;
}

std::int64_t member(const record::Params& params, std::string_view name) {
  const auto* value = record::find(params, name);
  if (value == nullptr) throw std::invalid_argument("a point of ftio without " + std::string(name));
  return static_cast<std::int64_t>(record::number(*value));
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

Which which(const record::Params& params) {
  return {member(params, "input_parameter"), static_cast<int>(member(params, "run"))};
}

std::span<const suites::BenchmarkInfo> Definition::catalogue() const {
  return infos;
}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks, int world) const {
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
      block.points.push_back(point(settings_, {block.processes, parameter}, run));
      blocks.push_back(std::move(block));
    }
  return blocks;
}

record::Members Definition::configuration() const {
  std::string because;
  for (const auto& sentence : departures(settings_)) because += (because.empty() ? "" : "\n") + sentence;
  record::Members members;
  if (!settings_.parameters.empty())
    members.emplace_back("parameters",
                         std::vector<double>(settings_.parameters.begin(), settings_.parameters.end()));
  if (settings_.processes) members.emplace_back("processes", std::int64_t{*settings_.processes});
  if (settings_.memory_byte > 0) members.emplace_back("memory_byte", settings_.memory_byte);
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

}  // namespace steelyard::ftio
