// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/definition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "suites/expected_time.hpp"
#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/input/file.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"
#include "suites/hpcc/representative.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double word_byte = 8, complex_byte = 16;
constexpr double usual_tick_s = 1e-9;  // of the clock, whatever it says: loops are longer than ten of them

/// What comes before the first pass, each pass, and what comes after the last one.
struct Parts {
  double open_s = 0, pass_s = 0, close_s = 0;
};

/// Rates of the processes that work in a mode.
class Pace {
 public:
  Pace(Mode mode, const suites::Rates& rates) : rates_(rates), alone_(mode == Mode::single) {}

  [[nodiscard]] double product_s(double flop) const {
    return flop / (alone_ ? rates_.product_alone_flop_s : rates_.product_flop_s);
  }
  [[nodiscard]] double stream_s(double byte) const {
    return byte / (alone_ ? rates_.triad_alone_byte_s : rates_.triad_byte_s);
  }
  [[nodiscard]] double updates_s(double updates) const {
    return updates / (alone_ ? rates_.access_alone_update_s : rates_.access_update_s);
  }
  [[nodiscard]] double transform_s(double flop) const {
    return flop / (alone_ ? rates_.transform_alone_flop_s : rates_.transform_flop_s);
  }
  /// New memory, and values that it is filled with by the rule of a test.
  [[nodiscard]] double touch_s(double byte) const { return byte / rates_.touch_byte_s; }
  [[nodiscard]] double fill_s(double values) const { return values / rates_.filled_value_s; }
  /// Every process sends so much and receives as much.
  [[nodiscard]] double exchange_s(double byte) const {
    return byte / std::min(rates_.exchange_byte_s, rates_.far_exchange_byte_s);
  }

 private:
  const suites::Rates& rates_;
  bool alone_;
};

Parts dgemm_parts(const PointSpec& spec, const Pace& pace) {
  const auto n = static_cast<double>(spec.length), elements = 3 * n * n;
  return {core_peak_s + pace.touch_s(word_byte * elements) + pace.fill_s(elements),
          pace.product_s(counted_work(spec)), pace.fill_s(elements) + pace.stream_s(word_byte * elements)};
}

/// The four kernels have the same vectors: a quarter of what these take falls to each.
Parts stream_parts(const PointSpec& spec, const Settings& settings, const Pace& pace) {
  const double vectors = 3 * word_byte * static_cast<double>(spec.length);
  const double made_s = pace.touch_s(vectors) + pace.stream_s(vectors);
  const double pass_s = pace.stream_s(counted_work(spec));
  const double tried_s = settings.form == Form::base ? 0 : 2 * stream_tries * pass_s;
  return {made_s / 4 + tried_s, pass_s, pace.stream_s(vectors)};
}

Parts local_access_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const double table = word_byte * std::ldexp(1.0, spec.bits);
  const auto updates = static_cast<double>(spec.updates);
  return {pace.touch_s(table) + pace.stream_s(table), pace.updates_s(updates),
          updates / rates.undone_update_s + 2 * pace.stream_s(table)};
}

/// Of the updates one in a hundred is executed by each way, and to find out how many the bound allows.
Parts global_access_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                          const suites::Rates& rates) {
  const double table = word_byte * std::ldexp(1.0, spec.bits) / spec.processes;
  const double each = static_cast<double>(spec.updates) / spec.processes;
  const double all_s = each / rates.shared_update_s;
  const double pass_s = std::min(all_s, settings.update_bound_s);
  const double executed = all_s > 0 ? pass_s / all_s : 1;
  return {pace.touch_s(table) + 3 * pace.stream_s(table) + 0.05 * all_s, pass_s,
          executed * each / rates.shared_undone_update_s + 2 * pace.stream_s(table)};
}

/// The rate is that of a transform within the caches: what is larger passes through memory besides, three times there
/// and back.
Parts local_fft_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const auto n = static_cast<double>(spec.length);
  const double pass_s = pace.transform_s(counted_work(spec)) + pace.stream_s(6 * complex_byte * n);
  return {n / rates.made_transform_element_s + pace.touch_s(3 * complex_byte * n), pass_s,
          n / rates.checked_transform_element_s};
}

/// Transforms of parts, between which all elements change places three times. Both ways of exchange are
/// tried.
Parts global_fft_parts(const PointSpec& spec, const Pace& pace, const suites::Rates& rates) {
  const double n = static_cast<double>(spec.length) / spec.processes;
  const double byte = complex_byte * n;
  const double pass_s = pace.transform_s(counted_work(spec) / spec.processes) +
                        3 * (pace.exchange_s(byte) + pace.stream_s(byte));
  return {n / rates.made_transform_element_s + pace.touch_s(5 * byte) + 4 * pass_s, pass_s,
          n / rates.checked_transform_element_s + pass_s};
}

/// Every pass has matrices of its own, tries both ways of exchange, and is verified.
Parts ptrans_parts(const PointSpec& spec, const Pace& pace) {
  const double elements = counted_work(spec) / word_byte / spec.processes, byte = word_byte * elements;
  const double transposed_s = pace.exchange_s(byte) + pace.stream_s(3 * byte);
  const double made_s = pace.touch_s(2 * byte) + 2 * pace.fill_s(elements);
  return {0, made_s + 3 * transposed_s + 2 * pace.fill_s(elements) + pace.stream_s(2 * byte), 0};
}

/// Every pass has a matrix of its own and is verified: the matrix is generated once more.
Parts solver_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                   const suites::Rates& rates) {
  if (rates.panels.empty()) return {};
  const auto n = static_cast<double>(spec.length);
  const double elements = n * n / spec.processes;
  const double filled_s = pace.fill_s(elements);
  const double checked_s = settings.threshold > 0 ? filled_s + pace.stream_s(word_byte * elements) : 0;
  return {0, pace.touch_s(word_byte * elements) + filled_s + hpl::solve_s(spec.solver, rates) + checked_s, 0};
}

/// Pairs in turn, then all in rings of several orders, by two methods.
Parts message_parts(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const bool short_one = spec.length <= settings.latency.message_byte;
  const auto& rule = short_one ? settings.latency : settings.bandwidth;
  const double way_s =
      std::max(rates.message_s, rates.far_message_s) +
      static_cast<double>(rule.message_byte) / std::min(rates.exchange_byte_s, rates.far_exchange_byte_s);
  const double shortest_s = shortest_loop_s(usual_tick_s);
  const double loop_s = std::max(2 * (rule.ping_pong_loops + 1) * way_s, shortest_s);
  const auto all = std::int64_t{spec.processes} * (spec.processes - 1);
  const auto pairs = std::min(all, affordable_pairs(rule, way_s, shortest_s));
  const double ring_s = std::max(2 * rule.ring_loops * way_s, shortest_s);
  const double rings_s = 2.0 * (1 + rule.random_rings) * rule.measurements * ring_s;
  return {0, static_cast<double>(pairs) * 2 * loop_s + rings_s, 0};
}

Parts parts_of(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const Pace pace(spec.benchmark.mode, rates);
  const bool global = spec.benchmark.mode == Mode::global;
  switch (spec.benchmark.test) {
    case Test::random_access:
      return global ? global_access_parts(spec, settings, pace, rates)
                    : local_access_parts(spec, pace, rates);
    case Test::ptrans:
      return ptrans_parts(spec, pace);
    case Test::dgemm:
      return dgemm_parts(spec, pace);
    case Test::stream:
      return stream_parts(spec, settings, pace);
    case Test::fft:
      return global ? global_fft_parts(spec, pace, rates) : local_fft_parts(spec, pace, rates);
    case Test::latency_bandwidth:
      return message_parts(spec, settings, rates);
    case Test::solver:
      break;
  }
  return solver_parts(spec, settings, pace, rates);
}

using suites::BenchmarkInfo;
using suites::BlockPlan;
using suites::PointPlan;
using enum Test;
using enum Mode;

constexpr auto lcg = Generator::congruential;

constexpr auto benchmark_table = std::to_array<Benchmark>({
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

constexpr std::string_view update_rate = "update_rate_update_s", flop_rate = "flop_rate_flop_s",
                           bandwidth = "bandwidth_byte_s";
constexpr std::string_view by_memory = "from N of the linear solver", source = "004 section 1";

constexpr std::string_view metric(Test test) {
  if (test == random_access) return update_rate;
  return test == dgemm || test == fft || test == solver ? flop_rate : bandwidth;
}

BenchmarkInfo info(const Benchmark& benchmark) {
  const bool pairs = benchmark.test == latency_bandwidth;
  constexpr std::array modes{"Single", "Star", "MPI"};
  return {.name = benchmark.name,
          .classification = modes[static_cast<std::size_t>(benchmark.mode)],
          .min_processes = pairs ? 2 : 1,
          .in_default = true,
          .sizes = pairs                      ? "8, 2000000 byte"
                   : benchmark.test == solver ? "N"
                                              : by_memory,
          .metrics = pairs ? "pingpong_max_latency_s, natural_ring_byte_s, ..." : metric(benchmark.test),
          .source = pairs ? "004 section 2" : source,
          .condition = condition(benchmark.test)};
}

const std::array<BenchmarkInfo, benchmark_table.size()>& infos() {
  static const auto all = [] {
    std::array<BenchmarkInfo, benchmark_table.size()> rows{};
    std::ranges::transform(benchmark_table, rows.begin(), info);
    return rows;
  }();
  return all;
}

struct Obstacle {
  record::ReasonCode code;
  std::string text;
};

/// Why a point cannot be measured, if it cannot.
std::optional<Obstacle> obstacle_to(const PointSpec& spec, const Settings& settings, int world) {
  using enum record::ReasonCode;
  const Test test = spec.benchmark.test;
  if (test == latency_bandwidth && world < 2) return Obstacle{processes, "needs at least 2 processes"};
  if (computes_with_blas(spec.benchmark.name) && !settings.blas)
    return Obstacle{dependency, "built without a BLAS"};
  if ((test == ptrans || test == solver) && spec.processes > world)
    return Obstacle{processes, "the grid needs " + std::to_string(spec.processes) + " processes"};
  if (test == solver) return std::nullopt;  // no equations are solved at once
  const bool nothing =
      test == random_access ? (std::int64_t{1} << spec.bits) < spec.processes : spec.length < 1;
  if (!nothing) return std::nullopt;
  return Obstacle{unsupported, "the problem leaves nothing for this test"};
}

/// What needs more memory than a process may use at the size that stands for the machine.
std::optional<Obstacle> lack_of_memory(const PointSpec& spec, const Settings& settings) {
  const auto needed = memory_byte(spec, settings);
  if (settings.most_byte <= 0 || needed <= settings.most_byte) return std::nullopt;
  return Obstacle{record::ReasonCode::memory,
                  "needs " + units::format_size(Bytes{needed}) + " per process, " +
                      units::format_size(Bytes{settings.most_byte}) + " are available"};
}

/// A test that the budget does not hold is left out as a whole.
std::optional<Obstacle> left_out(const PointSpec& spec, const Settings& settings) {
  const auto found = settings.left_out.find(spec.benchmark.name);
  if (found == settings.left_out.end()) return std::nullopt;
  return Obstacle{record::ReasonCode::time, suites::needs_budget(found->second)};
}

PointPlan point_plan(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  PointPlan point;
  point.params = identity(spec, settings, world.processes);
  point.specification = spec;
  point.key =
      record::make_key(suite_name, spec.benchmark.name, world.processes, settings.threads, 1, point.params);
  point.memory_byte = memory_byte(spec, settings);
  point.bytes = point.memory_byte;
  point.classic_operations = static_cast<std::uint64_t>(passes(spec.benchmark.test, settings));
  point.prescribed_s = expected_s(spec, settings, world.rates);
  point.cost.latency_s = *point.prescribed_s / static_cast<double>(point.classic_operations);
  point.doubt = doubt(spec, settings, world);
  point.expectation = expectation(spec, settings, world);
  auto obstacle = obstacle_to(spec, settings, world.processes);
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

double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates) {
  const auto parts = parts_of(spec, settings, rates);
  return parts.open_s + parts.pass_s * passes(spec.benchmark.test, settings) + parts.close_s;
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

bool computes_with_blas(std::string_view benchmark) {
  const Test test = benchmark_of(benchmark).test;
  return test == dgemm || test == solver;
}

std::span<const BenchmarkInfo> Definition::catalogue() const {
  return infos();
}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& world) const {
  std::vector<BlockPlan> blocks;
  for (const auto& name : benchmarks) {
    const auto& benchmark = benchmark_of(name);
    auto block = empty_block(benchmark, world.processes);
    for (const auto& spec : point_specs(settings_, benchmark, world.processes)) {
      block.points.push_back(point_plan(spec, settings_, world));
      if (benchmark.test != ptrans && benchmark.test != solver) continue;
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
  members.emplace_back("stream_trials", std::int64_t{settings_.effort.stream_trials});
  members.emplace_back("placements", std::int64_t{settings_.effort.placements});
  members.emplace_back("updates_share", settings_.effort.updates_share);
  if (settings_.memory_byte) members.emplace_back("memory_byte", *settings_.memory_byte);
  members.emplace_back("update_bound_s", settings_.update_bound_s);
  return members;
}

}  // namespace steelyard::hpcc
