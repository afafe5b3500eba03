// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/definition.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/input/file.hpp"
#include "suites/hpcc/test_rules.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

using suites::BenchmarkInfo;
using suites::BlockPlan;
using suites::PointPlan;
using enum Mode;

constexpr auto lcg = Generator::congruential;

constexpr auto benchmark_table = std::to_array<Benchmark>({
    {"MPIRandomAccess", random_access_rules, global},
    {"StarRandomAccess", random_access_rules, star},
    {"SingleRandomAccess", random_access_rules, single},
    {"MPIRandomAccess_LCG", random_access_rules, global, lcg},
    {"StarRandomAccess_LCG", random_access_rules, star, lcg},
    {"SingleRandomAccess_LCG", random_access_rules, single, lcg},
    {"PTRANS", ptrans_rules, global},
    {"StarDGEMM", dgemm_rules, star},
    {"SingleDGEMM", dgemm_rules, single},
    {"StarSTREAM", stream_rules, star},
    {"SingleSTREAM", stream_rules, single},
    {"MPIFFT", fft_rules, global},
    {"StarFFT", fft_rules, star},
    {"SingleFFT", fft_rules, single},
    {"LatencyBandwidth", latency_bandwidth_rules, global},
    {"HPL", solver_rules, global},
});

BenchmarkInfo info(const Benchmark& benchmark) {
  constexpr std::array modes{"Single", "Star", "MPI"};
  const TestText text = benchmark.test().text();
  return {.name = benchmark.name,
          .classification = modes[static_cast<std::size_t>(benchmark.mode)],
          .min_processes = text.min_processes,
          .in_default = true,
          .sizes = text.sizes,
          .metrics = text.metrics,
          .source = text.source,
          .condition = text.condition};
}

const std::array<BenchmarkInfo, benchmark_table.size()>& infos() {
  static const auto all = [] {
    std::array<BenchmarkInfo, benchmark_table.size()> rows{};
    std::ranges::transform(benchmark_table, rows.begin(), info);
    return rows;
  }();
  return all;
}

std::optional<Obstacle> lack_of_blas(const PointSpec& spec, const Settings& settings) {
  if (settings.blas || !spec.benchmark.test().computes_with_blas()) return std::nullopt;
  if (!settings.blas_lack.empty()) return Obstacle{record::ReasonCode::memory, settings.blas_lack};
  return Obstacle{record::ReasonCode::dependency, "built without a BLAS"};
}

/// Obstacle for a point that needs more memory than a process may use.
std::optional<Obstacle> lack_of_memory(const PointSpec& spec, const Settings& settings) {
  const auto needed = memory_byte(spec, settings);
  if (settings.most_byte <= 0 || needed <= settings.most_byte) return std::nullopt;
  const auto [wanted, available] = units::format_unlike_sizes(Bytes{needed}, Bytes{settings.most_byte});
  return Obstacle{record::ReasonCode::memory,
                  "needs " + wanted + " per process, " + available + " are available"};
}

/// Obstacle for a test that the budget does not hold; it is left out as a whole.
std::optional<Obstacle> left_out(const PointSpec& spec, const Settings& settings) {
  const auto found = settings.left_out.find(spec.benchmark.name);
  if (found == settings.left_out.end()) return std::nullopt;
  return Obstacle{record::ReasonCode::time, suites::needs_budget(found->second)};
}

PointPlan point_plan(PointSpec spec, const Settings& settings, const suites::World& world) {
  spec.passes = passes(spec, settings, world.rates);
  spec.parts = spec.benchmark.test().expected_parts(spec, settings, world.rates);
  PointPlan point;
  point.params = identity(spec, settings, world.processes);
  point.specification = spec;
  point.key =
      record::make_key(suite_name, spec.benchmark.name, world.processes, settings.threads, 1, point.params);
  point.memory_byte = memory_byte(spec, settings);
  point.bytes = point.memory_byte;
  point.classic_operations = static_cast<std::uint64_t>(spec.passes);
  point.prescribed_s = expected_s(spec, settings, world.rates);
  point.cost.latency_s = *point.prescribed_s / static_cast<double>(point.classic_operations);
  point.gives_way = spec.benchmark.generator != Generator::polynomial;  // it enters no figure
  point.doubt = doubt(spec, settings, world);
  point.expectation = expectation(spec, settings, world);
  auto obstacle = lack_of_blas(spec, settings);
  if (!obstacle) obstacle = spec.benchmark.test().obstacle(spec, world.processes);
  if (!obstacle) obstacle = lack_of_memory(spec, settings);
  if (!obstacle) obstacle = left_out(spec, settings);
  if (obstacle) {
    point.skip = obstacle->code;
    point.skip_text = std::move(obstacle->text);
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

}  // namespace

int single_rank(const Settings& settings, int world) {
  if (settings.single_rank && (*settings.single_rank < 0 || *settings.single_rank >= world))
    throw std::invalid_argument("the rank of the Single tests is none of this run");
  if (settings.single_rank) return *settings.single_rank;
  return world == 1 ? 0 : 1 + Random(settings.seed).below(world - 1);
}

std::vector<PointSpec> point_specs(const Settings& settings, const Benchmark& benchmark, int world) {
  PointSpec first{.benchmark = benchmark};
  if (benchmark.mode == global) first.processes = world;
  return benchmark.test().points(settings, std::move(first), world);
}

int passes(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const auto& rules = spec.benchmark.test();
  const int said = rules.passes(settings), more = settings.effort.cheap_repetitions - said;
  if (more <= 0 || !rules.repeats_freely()) return said;
  const auto parts = rules.expected(spec, settings, rates);
  return more * parts.pass_s <= parts.open_s + parts.close_s ? said + more : said;
}

record::Params identity(const PointSpec& spec, const Settings& settings, int world) {
  record::Params params;
  params["form"] = std::string(text(settings.form));
  spec.benchmark.test().identify(spec, params);
  if (spec.benchmark.mode == single) params["rank"] = std::int64_t{single_rank(settings, world)};
  return params;
}

double counted_work(const PointSpec& spec) {
  return spec.benchmark.test().counted_work(spec);
}

std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) {
  return spec.benchmark.test().memory_byte(spec, settings);
}

double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const auto parts = spec.benchmark.test().expected(spec, settings, rates);
  return parts.open_s + parts.pass_s * passes(spec, settings, rates) + parts.close_s;
}

std::string text(const BlasWish& wish) {
  if (wish.kind != BlasWish::Kind::named)
    return wish.kind == BlasWish::Kind::fastest ? "fastest" : "as-linked";
  return wish.kernel.empty() ? wish.file : wish.file + ":" + wish.kernel;
}

std::span<const Benchmark> all_benchmarks() {
  return benchmark_table;
}

const Benchmark& benchmark_of(std::string_view name) {
  const auto found = std::ranges::find(benchmark_table, name, &Benchmark::name);
  if (found == benchmark_table.end())
    throw std::invalid_argument("hpcc has no benchmark " + std::string(name));
  return *found;
}

std::string_view statistic_of(std::string_view benchmark) {
  const auto found = std::ranges::find(benchmark_table, benchmark, &Benchmark::name);
  return found == benchmark_table.end() ? std::string_view() : found->test().text().statistic;
}

bool computes_with_blas(std::string_view benchmark) {
  return benchmark_of(benchmark).test().computes_with_blas();
}

Definition::Definition(Settings settings)
    : DefinedSuite(suite_name, infos(),
                   {suites::RateGroup::memory, suites::RateGroup::kernels, suites::RateGroup::solver,
                    suites::RateGroup::messages},
                   std::move(settings)) {}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& world) const {
  std::vector<BlockPlan> blocks;
  for (const auto& name : benchmarks) {
    const auto& benchmark = benchmark_of(name);
    auto block = empty_block(benchmark, world.processes);
    for (const auto& spec : point_specs(settings_, benchmark, world.processes)) {
      block.points.push_back(point_plan(spec, settings_, world));
      if (!benchmark.test().has_combinations()) continue;
      blocks.push_back(std::exchange(block, empty_block(benchmark, world.processes)));
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
  members.emplace_back("blas", text(settings_.blas_wish));
  members.emplace_back("seed", static_cast<std::int64_t>(settings_.seed));
  members.emplace_back("repetitions", std::int64_t{settings_.effort.repetitions});
  if (settings_.effort.cheap_repetitions > 0)  // of tests that repeat cheaply
    members.emplace_back("cheap_repetitions", std::int64_t{settings_.effort.cheap_repetitions});
  members.emplace_back("stream_trials", std::int64_t{settings_.effort.stream_trials});
  members.emplace_back("placements", std::int64_t{settings_.effort.placements});
  members.emplace_back("ring_patterns", std::int64_t{settings_.latency.random_rings});
  members.emplace_back("updates_share", settings_.effort.updates_share);
  if (settings_.memory_byte) members.emplace_back("memory_byte", *settings_.memory_byte);
  members.emplace_back("update_bound_s", settings_.update_bound_s);
  return members;
}

}  // namespace steelyard::hpcc
