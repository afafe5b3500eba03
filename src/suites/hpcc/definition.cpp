// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/definition.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/duration.hpp"
#include "suites/hpcc/input_file.hpp"
#include "suites/hpcc/hpl/shape.hpp"
#include "suites/hpcc/ptrans_data.hpp"

namespace steelyard::hpcc {
namespace {

using suites::BenchmarkInfo;
using suites::BlockPlan;
using suites::PointPlan;
using enum Test;
using enum Mode;

constexpr auto lcg = Generator::congruential;

constexpr auto table = std::to_array<Benchmark>({
    {"MPIRandomAccess", random_access, global},
    {"StarRandomAccess", random_access, star},
    {"SingleRandomAccess", random_access, single},
    {"MPIRandomAccess_LCG", random_access, global, lcg},
    {"StarRandomAccess_LCG", random_access, star, lcg},
    {"SingleRandomAccess_LCG", random_access, single, lcg},
    {"PTRANS", ptrans, global},
    {"StarDGEMM", dgemm, star},
    {"SingleDGEMM", dgemm, single},
    {"StarSTREAM", stream, star},
    {"SingleSTREAM", stream, single},
    {"MPIFFT", fft, global},
    {"StarFFT", fft, star},
    {"SingleFFT", fft, single},
    {"LatencyBandwidth", latency_bandwidth, global},
    {"HPL", solver, global},
});

constexpr std::string_view updates = "update_rate_update_s", flops = "flop_rate_flop_s",
                           bytes = "bandwidth_byte_s";
constexpr std::string_view by_memory = "from N of the linear solver", source = "004 section 1";

constexpr std::string_view metric(Test test) {
  if (test == random_access) return updates;
  return test == dgemm || test == fft || test == solver ? flops : bytes;
}

constexpr BenchmarkInfo info(const Benchmark& benchmark) {
  const bool pairs = benchmark.test == latency_bandwidth;
  constexpr std::array modes{"Single", "Star", "MPI"};
  return {.name = benchmark.name,
          .classification = modes[static_cast<std::size_t>(benchmark.mode)],
          .min_processes = pairs ? 2 : 1,
          .in_default = true,
          .sizes = pairs ? "8, 2000000 byte" : benchmark.test == solver ? "N" : by_memory,
          .metrics = pairs ? "pingpong_max_latency_s, natural_ring_byte_s, ..." : metric(benchmark.test),
          .source = pairs ? "004 section 2" : source};
}

constexpr auto infos = [] {
  std::array<BenchmarkInfo, table.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = info(table[i]);
  return all;
}();

constexpr std::array<std::string_view, 4> stream_names{"Copy", "Scale", "Add", "Triad"};

struct Obstacle {
  std::string code, text;
};

/// Why a point cannot be measured; empty if it can.
Obstacle obstacle_to(const PointSpec& spec, const Settings& settings, int world) {
  const Test test = spec.benchmark.test;
  if (test == latency_bandwidth && world < 2) return {"processes", "needs at least 2 processes"};
  if ((test == dgemm || test == solver) && !settings.blas) return {"dependency", "built without a BLAS"};
  if ((test == ptrans || test == solver) && spec.processes > world)
    return {"processes", "the grid needs " + std::to_string(spec.processes) + " processes"};
  if (test == solver) return {};  // no equations are solved at once
  const bool nothing =
      test == random_access ? (std::int64_t{1} << spec.bits) < spec.processes : spec.length < 1;
  return nothing ? Obstacle{"unsupported", "the problem leaves nothing for this test"} : Obstacle{};
}

PointPlan point_plan(const PointSpec& spec, const Settings& settings, int world) {
  PointPlan point;
  point.params = identity(spec, settings, world);
  point.key = record::make_key(suite_name, spec.benchmark.name, world, settings.threads, 1, point.params);
  point.memory_byte = memory_byte(spec, settings);
  point.bytes = point.memory_byte;
  point.classic_operations = static_cast<std::uint64_t>(passes(spec.benchmark.test, settings));
  point.prescribed_s = expected_s(spec, settings);
  point.cost.latency_s = *point.prescribed_s / static_cast<double>(point.classic_operations);
  if (auto obstacle = obstacle_to(spec, settings, world); !obstacle.code.empty()) {
    point.skip_code = std::move(obstacle.code);
    point.skip_text = std::move(obstacle.text);
  }
  return point;
}

BlockPlan empty_block(const Benchmark& benchmark, int world) {
  BlockPlan block;
  block.suite = suite_name;
  block.benchmark = benchmark.name;
  block.processes = world;
  block.indivisible = true;
  return block;
}

std::vector<double> sides(const std::vector<Grid>& grids, int Grid::*side) {
  std::vector<double> all;
  for (const auto& grid : grids) all.push_back(grid.*side);
  return all;
}

void add_memory(const MemoryRule& memory, record::Members& members) {
  members.emplace_back("memory_code", std::int64_t{memory.code});
  members.emplace_back("memory_said_mebibyte", memory.said_mebibyte);
  members.emplace_back("memory_process_mebibyte", memory.process_mebibyte);
}

std::vector<PointSpec> stream_specs(const Settings& settings, PointSpec spec) {
  spec.length = std::max(stream_length(memory_per_process(settings.problem), settings.limit),
                         least_stream_length(settings.last_level_cache_byte));
  std::vector<PointSpec> all;
  for (spec.kernel = 0; spec.kernel < 4; ++spec.kernel) all.push_back(spec);
  return all;
}

std::vector<PointSpec> ptrans_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& grid : settings.problem.grids)
    for (const auto n : ptrans_orders(settings.problem, settings.extra_orders))
      for (const auto nb : ptrans_blocks(settings.problem, settings.extra_blocks)) {
        spec.length = nb < 1 ? 0 : n;
        spec.matrix = {n, nb, grid};
        spec.processes = static_cast<int>(grid.processes());
        all.push_back(spec);
      }
  return all;
}

std::vector<PointSpec> solver_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& variant : hpl::variants(settings.problem, settings.solver)) {
    spec.solver = variant;
    spec.length = variant.n;
    spec.processes = static_cast<int>(variant.grid.processes());
    all.push_back(spec);
  }
  return all;
}

void identify(const hpl::Variant& variant, record::Params& params) {
  const auto code = [](auto option) { return std::int64_t{static_cast<int>(option)}; };
  params["order"] = variant.n;
  params["block"] = variant.nb;
  params["grid_rows"] = std::int64_t{variant.grid.rows};
  params["grid_columns"] = std::int64_t{variant.grid.columns};
  params["mapping"] = std::string(1, hpl::letter(variant.mapping));
  params["depth"] = std::int64_t{variant.depth};
  params["broadcast"] = code(variant.broadcast);
  params["recursive"] = std::string(1, hpl::letter(variant.recursive));
  params["panel"] = std::string(1, hpl::letter(variant.panel));
  params["stop"] = std::int64_t{variant.stop};
  params["parts"] = std::int64_t{variant.parts};
  params["swap"] = code(variant.swap);
  params["swap_threshold"] = variant.swap_threshold;
  params["l1"] = code(variant.l1);
  params["u"] = code(variant.u);
  params["equilibration"] = code(variant.equilibration);
  params["alignment"] = std::int64_t{variant.alignment};
}

std::vector<PointSpec> message_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& rule : {settings.latency, settings.bandwidth}) {
    spec.length = rule.message_byte;
    all.push_back(spec);
  }
  return all;
}

PointSpec fft_spec(const Settings& settings, PointSpec spec, int world) {
  const auto memory = memory_per_process(settings.problem);
  if (spec.benchmark.mode != global) {
    spec.length = fft_length(memory, settings.fft, settings.limit);
    return spec;
  }
  const auto whole = global_fft(memory, world, settings.fft, settings.limit);
  spec.length = whole.length;
  spec.processes = whole.processes;
  return spec;
}

}  // namespace

int single_rank(const Settings& settings, int world) {
  if (settings.single_rank && (*settings.single_rank < 0 || *settings.single_rank >= world))
    throw std::invalid_argument("the rank of the Single tests is none of this run");
  if (settings.single_rank) return *settings.single_rank;
  return world == 1 ? 0 : 1 + Random(settings.seed).below(world - 1);
}

std::span<const Benchmark> all_benchmarks() {
  return table;
}

const Benchmark& benchmark_of(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Benchmark::name);
  if (found == table.end()) throw std::invalid_argument("hpcc has no benchmark " + std::string(name));
  return *found;
}

std::vector<PointSpec> point_specs(const Settings& settings, const Benchmark& benchmark, int world) {
  const auto memory = memory_per_process(settings.problem);
  PointSpec spec{.benchmark = benchmark};
  const bool together = benchmark.mode == global;
  if (together) spec.processes = world;
  switch (benchmark.test) {
    case stream:
      return stream_specs(settings, spec);
    case ptrans:
      return ptrans_specs(settings, spec);
    case latency_bandwidth:
      return message_specs(settings, spec);
    case solver:
      return solver_specs(settings, spec);
    case fft:
      return {fft_spec(settings, spec, world)};
    case dgemm:
      spec.length = dgemm_order(memory);
      return {spec};
    case random_access:
      spec.bits = together ? random_access_bits(memory, world) : random_access_bits(memory);
      return {spec};
  }
  return {};
}

int passes(Test test, const Settings& settings) {
  if (test == stream) return stream_trials;
  if (test == ptrans) return ptrans_placements;
  if (test == solver) return settings.solver_repetitions;
  return test == latency_bandwidth ? 1 : settings.repetitions;
}

record::Params identity(const PointSpec& spec, const Settings& settings, int world) {
  record::Params params;
  const Test test = spec.benchmark.test;
  params["form"] = std::string(text(settings.form));
  if (test == random_access) params["table_words"] = std::int64_t{1} << spec.bits;
  if (test == dgemm) params["order"] = spec.length;
  if (test == stream || test == fft) params["elements"] = spec.length;
  if (test == stream) params["kernel"] = std::string(stream_names[static_cast<std::size_t>(spec.kernel)]);
  if (test == fft && spec.processes != 1) params["used_processes"] = std::int64_t{spec.processes};
  if (test == latency_bandwidth) params["message_byte"] = spec.length;
  if (test == ptrans) {
    params["order"] = spec.matrix.n;
    params["block"] = spec.matrix.nb;
    params["grid_rows"] = std::int64_t{spec.matrix.grid.rows};
    params["grid_columns"] = std::int64_t{spec.matrix.grid.columns};
  }
  if (test == solver) identify(spec.solver, params);
  if (spec.benchmark.mode == single) params["rank"] = std::int64_t{single_rank(settings, world)};
  return params;
}

std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) {
  const bool base = settings.form == Form::base;
  switch (spec.benchmark.test) {
    case random_access:
      return (std::int64_t{8} << spec.bits) / spec.processes;
    case ptrans:  // two matrices, one more for the check, and what travels
      return (base ? 5 : 3) * 8 * spec.matrix.n * spec.matrix.n / std::max(spec.processes, 1);
    case dgemm:
    case stream:
      return 3 * 8 * (spec.benchmark.test == dgemm ? spec.length * spec.length : spec.length);
    case fft:  // in, out, and what lies between; or the buffers of the exchanges
      return (spec.benchmark.mode == global ? 6 : 3) * 16 * spec.length / spec.processes;
    case latency_bandwidth:
      return 4 * spec.length;
    case solver:
      return hpl::memory_byte(spec.solver);
  }
  return 0;
}

std::span<const BenchmarkInfo> Definition::catalogue() const {
  return infos;
}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks, int world) const {
  std::vector<BlockPlan> blocks;
  for (const auto& name : benchmarks) {
    const auto& benchmark = benchmark_of(name);
    auto block = empty_block(benchmark, world);
    for (const auto& spec : point_specs(settings_, benchmark, world)) {
      block.points.push_back(point_plan(spec, settings_, world));
      if (benchmark.test != ptrans && benchmark.test != solver) continue;
      blocks.push_back(std::exchange(block, empty_block(benchmark, world)));
    }
    if (!block.points.empty()) blocks.push_back(std::move(block));
  }
  return blocks;
}

record::Members Definition::configuration() const {
  const auto doubles = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  record::Members members;
  members.emplace_back("run", std::string(text(settings_.form)));
  members.emplace_back("orders", doubles(settings_.problem.orders));
  members.emplace_back("blocks", doubles(settings_.problem.blocks));
  members.emplace_back("grid_rows", sides(settings_.problem.grids, &Grid::rows));
  members.emplace_back("grid_columns", sides(settings_.problem.grids, &Grid::columns));
  members.emplace_back("input", write_input(settings_));
  if (!settings_.derivation.empty()) members.emplace_back("derivation", settings_.derivation);
  if (settings_.memory) add_memory(*settings_.memory, members);
  members.emplace_back("fft_235", settings_.fft == Smoothness::two_three_five);
  members.emplace_back("threshold", settings_.threshold);
  members.emplace_back("threads", std::int64_t{settings_.threads});
  members.emplace_back("blas", std::string(settings_.blas_choice == BlasChoice::linked ? "linked" : "fastest"));
  members.emplace_back("seed", static_cast<std::int64_t>(settings_.seed));
  members.emplace_back("repetitions", std::int64_t{settings_.repetitions});
  members.emplace_back("update_bound_s", settings_.update_bound_s);
  return members;
}

}  // namespace steelyard::hpcc
