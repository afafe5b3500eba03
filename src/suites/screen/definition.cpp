// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/definition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "measure/schedule.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::screen {

namespace {

using suites::BenchmarkInfo;
using suites::BlockPlan;
using suites::PointPlan;
using suites::Rates;

constexpr std::string_view source = "screening.md of the documentation";

constexpr std::string_view beyond_caches = "arrays of at least 4 times the last-level cache in use, each";

constexpr auto screen_rows = std::to_array<BenchmarkInfo>({
    {.name = "dgemm",
     .classification = "node",
     .sizes = "order that takes half a second, from 1500 on, within a quarter of the memory",
     .metrics = "flop_rate_flop_s",
     .source = source,
     .condition = "order 1500 or more"},
    {.name = "fma",
     .classification = "node",
     .sizes = "registers alone",
     .metrics = "flop_rate_flop_s",
     .source = source},
    {.name = "triad",
     .classification = "node",
     .sizes = "arrays of 4 times the last-level cache in use",
     .metrics = "bandwidth_byte_s",
     .source = source,
     .condition = beyond_caches},
    {.name = "numa_triad",
     .classification = "node",
     .sizes = "as triad; one NUMA domain of a node after the other, the others sleep: the least",
     .metrics = "bandwidth_byte_s",
     .source = source,
     .condition = beyond_caches},
    {.name = "random_access",
     .classification = "node",
     .sizes = "a table of an eighth of the memory, at most 4 GiB",
     .metrics = "update_rate_update_s",
     .source = source,
     .condition = "a table of at least 4 times the last-level cache in use"},
    {.name = "chase",
     .classification = "node",
     .sizes = "1 GiB, one process of a node",
     .metrics = "time_s",
     .source = source,
     .condition = "a list of at least 4 times the last-level cache"},
    {.name = "disk",
     .classification = "node",
     .in_default = false,
     .sizes = "1 GB, one process of a node, in the folder of --disk",
     .metrics = "bandwidth_byte_s",
     .source = source},
    {.name = "pairs",
     .classification = "links",
     .min_processes = 2,
     .sizes = "8 byte to and fro, 1 MiB in both directions; one process of a node",
     .metrics = "bandwidth_byte_s, time_s",
     .source = source},
});

constexpr std::int64_t gibibyte = std::int64_t{1} << 30, megabyte = 1'000'000;
// Seconds of a step in a chased list, whose steps no survey measures: a common latency of memory.
constexpr double step_s = 1e-7;
constexpr std::int64_t line_byte = 64;

std::int64_t known_memory(const Settings& settings) {
  return settings.memory_byte > 0 ? settings.memory_byte : gibibyte;
}

hpcc::Settings as_hpcc(const Settings& settings) {
  hpcc::Settings out;
  out.cache = settings.cache;
  out.threads = settings.threads;
  return out;
}

/// Specification of the same work as a test of HPC Challenge that all processes do at once.
hpcc::PointSpec star(std::string_view name, const TestSpec& spec) {
  hpcc::PointSpec out{hpcc::benchmark_of(name)};
  out.length = spec.length;
  out.bits = spec.bits;
  return out;
}

int repetitions(double wanted_s, double one_s) {
  constexpr double most = 1000;
  return static_cast<int>(std::clamp(std::floor(wanted_s / one_s), 1.0, most));
}

TestSpec dgemm_spec(const Settings& settings, const Rates& rates) {
  const double fits = std::sqrt(static_cast<double>(known_memory(settings)) / 4 / 24);
  const double takes = std::cbrt(rates.product_flop_s * settings.visit_s / 2);
  const auto least =
      static_cast<double>(hpcc::least_size(hpcc::benchmark_of("StarDGEMM"), as_hpcc(settings), 1));
  TestSpec spec{Test::dgemm, "dgemm"};
  spec.length = (static_cast<std::int64_t>(std::min(std::max(takes, least), fits)) + 7) / 8 * 8;
  const double one_s = 2 * std::pow(static_cast<double>(spec.length), 3) / rates.product_flop_s;
  spec.repetitions = repetitions(settings.visit_s, one_s);
  return spec;
}

TestSpec triad_spec(Test test, std::string_view name, const Settings& settings, const Rates& rates) {
  const auto wanted = hpcc::least_size(hpcc::benchmark_of("StarSTREAM"), as_hpcc(settings), 1);
  TestSpec spec{test, name};
  spec.length = std::min(wanted, known_memory(settings) / 24 / 8 * 8);
  spec.repetitions =
      repetitions(settings.visit_s, 24 * static_cast<double>(spec.length) / rates.triad_byte_s);
  return spec;
}

/// Specification for updates: the largest power of two that fits, of what an eighth of the memory holds or
/// the caches ask for.
TestSpec updates_spec(const Settings& settings, const Rates& rates) {
  constexpr double least = 1 << 14;
  const auto wanted = hpcc::least_size(hpcc::benchmark_of("StarRandomAccess"), as_hpcc(settings), 1);
  const auto bits_of = [](std::int64_t bytes) {
    return static_cast<int>(
               std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes / 8, 1)))) -
           1;
  };
  TestSpec spec{Test::random_access, "random_access"};
  spec.bits = std::min(
      bits_of(known_memory(settings)),
      std::max(static_cast<int>(wanted), bits_of(std::min(known_memory(settings) / 8, 4 * gibibyte))));
  const double updates = std::max(least, rates.access_update_s * settings.visit_s);
  spec.updates = std::min(std::int64_t{4} << spec.bits,
                          static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(updates))));
  return spec;
}

TestSpec chase_spec(const Settings& settings) {
  TestSpec spec{Test::chase, "chase"};
  const auto bytes = std::max(gibibyte, 4 * settings.core_cache_byte);
  const auto most = static_cast<std::uint64_t>(known_memory(settings));
  spec.length = static_cast<std::int64_t>(
      std::min(std::bit_ceil(static_cast<std::uint64_t>(bytes)), std::bit_floor(most)));
  spec.repetitions = static_cast<int>(settings.visit_s / step_s);
  return spec;
}

TestSpec spec_of(Test test, const Settings& settings, const Rates& rates) {
  switch (test) {
    case Test::dgemm: return dgemm_spec(settings, rates);
    case Test::triad: return triad_spec(test, "triad", settings, rates);
    case Test::numa_triad: return triad_spec(test, "numa_triad", settings, rates);
    case Test::random_access: return updates_spec(settings, rates);
    case Test::chase: return chase_spec(settings);
    case Test::fma: {
      TestSpec spec{Test::fma, "fma"};
      spec.visit_s = settings.visit_s;
      return spec;
    }
    case Test::disk: {
      TestSpec spec{Test::disk, "disk"};
      spec.length = 1000 * megabyte;
      return spec;
    }
    case Test::pairs: break;
  }
  return {Test::pairs, "pairs"};
}

std::int64_t memory_of(const TestSpec& spec) {
  constexpr std::int64_t messages = 8 << 20;
  switch (spec.test) {
    case Test::dgemm: return 24 * spec.length * spec.length;
    case Test::triad:
    case Test::numa_triad: return 24 * spec.length;
    case Test::random_access: return std::int64_t{8} << spec.bits;
    case Test::chase: return spec.length;
    default: return messages;
  }
}

/// Seconds of one visit: memory is touched for the first time, the work is done, and what it left is checked.
double visit_s(const TestSpec& spec, const Settings& settings, const suites::World& world) {
  constexpr double round_s = 0.02, node_disk_byte_s = 2e8;
  const double touched_s = static_cast<double>(memory_of(spec)) / world.rates.touch_byte_s;
  switch (spec.test) {
    case Test::fma: return spec.visit_s;
    case Test::disk: return 2 * static_cast<double>(spec.length) / node_disk_byte_s;
    case Test::pairs: {
      const auto kind = settings.pairs.value_or(usual_pairs(world.processes));
      return round_s * PairSchedule(kind, world.processes,
                                    settings.rounds.value_or(usual_rounds(world.processes)), settings.seed, 1)
                           .rounds();
    }
    case Test::random_access: {
      // Threads may lose updates of one another, which are counted by undoing all of them.
      const double undone_s = settings.threads > 1 ? 1 / world.rates.undone_update_s : 0;
      return 2 * touched_s +
             static_cast<double>(spec.updates) *
                 (1 / world.rates.access_update_s + 1 / world.rates.checked_update_s + undone_s);
    }
    default: {
      const int turns = spec.test == Test::numa_triad ? settings.domains : 1;
      return turns * (2 * settings.visit_s + 2 * touched_s);
    }
  }
}

std::string doubt_of(const TestSpec& spec, const Settings& settings, const suites::World& world) {
  const auto hpcc_settings = as_hpcc(settings);
  if (spec.test == Test::dgemm) return hpcc::doubt(star("StarDGEMM", spec), hpcc_settings, world);
  if (spec.test == Test::triad || spec.test == Test::numa_triad)
    return hpcc::doubt(star("StarSTREAM", spec), hpcc_settings, world);
  if (spec.test == Test::random_access)
    return hpcc::doubt(star("StarRandomAccess", spec), hpcc_settings, world);
  if (spec.test == Test::chase && settings.core_cache_byte > 0 && spec.length < 4 * settings.core_cache_byte)
    return "a list of " + std::to_string(spec.length) + " byte where " +
           std::to_string(4 * settings.core_cache_byte) + " or more stand for this machine: " +
           std::string(screen_rows[static_cast<std::size_t>(Test::chase)].condition);
  return "";
}

record::Params identity_of(const Settings& settings) {
  record::Params params;
  if (settings.alone) params["alone"] = true;
  return params;
}

PointPlan point_of(const TestSpec& spec, const Settings& settings, const suites::World& world) {
  PointPlan point;
  point.benchmark = spec.benchmark;
  point.params = identity_of(settings);
  if (spec.test == Test::pairs && settings.pairs) point.params["pairs"] = std::string(text(*settings.pairs));
  point.specification = spec;
  point.key =
      record::make_key(suite_name, spec.benchmark, world.processes, settings.threads, 1, point.params);
  point.memory_byte = memory_of(spec);
  point.classic_operations = 1;
  const double one_s = visit_s(spec, settings, world);
  point.prescribed_s = settings.visits * one_s * (settings.alone ? world.processes : 1);
  point.cost.latency_s = one_s;
  point.doubt = doubt_of(spec, settings, world);
  if (settings.needs_budget_s) {
    point.skip = record::ReasonCode::time;
    point.skip_text = suites::needs_budget(*settings.needs_budget_s);
  } else if (spec.test == Test::dgemm && !settings.blas) {
    const bool lacks_memory = !settings.blas_lack.empty();
    point.skip = lacks_memory ? record::ReasonCode::memory : record::ReasonCode::dependency;
    point.skip_text = lacks_memory ? settings.blas_lack : "built without a BLAS";
  } else if (spec.test == Test::disk && settings.disk.empty()) {
    point.skip = record::ReasonCode::unsupported;
    point.skip_text = "--disk names the folder of a node";
  } else if (spec.test == Test::numa_triad && settings.domains < 2) {
    point.skip = record::ReasonCode::unsupported;
    point.skip_text = settings.spread > 1
                          ? "processes may run on several NUMA domains; it needs each bound to one"
                          : "no node has processes that are bound to several NUMA domains";
  }
  return point;
}

bool is_wanted(const BenchmarkInfo& row, std::span<const std::string> names, const Settings& settings,
               int processes) {
  if (row.name == "pairs" && (processes < row.min_processes || settings.pairs == PairKind::none))
    return false;
  if (row.name == "disk" && !settings.disk.empty()) return !names.empty();
  const bool of_one_domain = settings.domains < 2 && settings.spread < 2;
  if (row.name == "numa_triad" && of_one_domain) return names.size() == 1 && names.front() == row.name;
  return std::ranges::find(names, row.name) != names.end();
}

double seconds_of(const Settings& settings, std::span<const std::string> benchmarks,
                  const suites::World& world) {
  return suites::prescribed_s(Definition(settings), benchmarks, world);
}

/// Purpose of an order: orders for two purposes differ although seed and visit are the same.
enum class Purpose : std::uint64_t { nodes, rounds };

std::vector<int> reordered(int n, std::uint64_t seed, int visit, Purpose purpose) {
  const auto order =
      measure::shuffled(static_cast<std::size_t>(std::max(n, 0)), seed, static_cast<std::uint64_t>(visit),
                        static_cast<std::uint64_t>(purpose));
  return {order.begin(), order.end()};
}

std::vector<int> order_of_rounds(PairKind kind, int nodes, int wanted, std::uint64_t seed, int visit) {
  if (nodes < 2 || kind == PairKind::none) return {};
  if (kind == PairKind::shift) {
    auto distances = reordered(nodes - 1, seed, visit, Purpose::rounds);
    for (int& distance : distances) ++distance;
    return distances;
  }
  auto rounds = reordered(Tournament(nodes).rounds(), seed, visit, Purpose::rounds);
  if (kind == PairKind::sample && wanted < static_cast<int>(rounds.size()))
    rounds.resize(static_cast<std::size_t>(std::max(wanted, 1)));
  return rounds;
}

}  // namespace

Definition::Definition(Settings settings)
    : DefinedSuite(suite_name, screen_rows, {suites::RateGroup::memory, suites::RateGroup::kernels},
                   std::move(settings)) {}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& world) const {
  BlockPlan block;
  block.suite = suite_name;
  block.processes = world.processes;
  block.indivisible = true;
  for (std::size_t row = 0; row < screen_rows.size(); ++row) {
    if (!is_wanted(screen_rows[row], benchmarks, settings_, world.processes)) continue;
    block.points.push_back(
        point_of(spec_of(static_cast<Test>(row), settings_, world.rates), settings_, world));
    block.benchmark += (block.benchmark.empty() ? "" : "+") + std::string(screen_rows[row].name);
  }
  if (block.points.empty()) return {};
  return {block};
}

record::Members Definition::configuration() const {
  record::Members members{{"visits", std::int64_t{settings_.visits}},
                          {"visit_s", settings_.visit_s},
                          {"alone", settings_.alone},
                          {"again", settings_.again}};
  if (settings_.pairs) members.emplace_back("pairs", std::string(text(*settings_.pairs)));
  if (settings_.rounds) members.emplace_back("rounds", std::int64_t{*settings_.rounds});
  for (const auto& [name, tolerance] : settings_.tolerances)
    members.emplace_back("tolerance_" + name, tolerance);
  return members;
}

suites::TimeRange time_range(const Settings& settings, std::span<const std::string> benchmarks,
                             const suites::World& world) {
  Settings least = settings;
  least.visits = std::min(settings.visits, least_visits);
  return {seconds_of(least, benchmarks, world), seconds_of(settings, benchmarks, world)};
}

Settings fitted(Settings settings, std::span<const std::string> benchmarks, const suites::TimeShare& time,
                const suites::World& world) {
  while (settings.visits > least_visits && seconds_of(settings, benchmarks, world) > time.seconds)
    --settings.visits;
  if (const double least_s = seconds_of(settings, benchmarks, world); least_s > time.seconds)
    settings.needs_budget_s = time.budget_for(least_s);
  return settings;
}

std::optional<int> Tournament::partner(int round, int player) const {
  // Players of the circle meet if their numbers add up to twice the round; one that would meet itself meets
  // the one that stays.
  const int stays = circle_;
  int other = round;
  if (player != stays) {
    const auto twice = 2 * static_cast<std::int64_t>(round) - player;
    other = static_cast<int>(((twice % circle_) + circle_) % circle_);
    if (other == player) other = stays;
  }
  if (other >= players_) return std::nullopt;
  return other;
}

std::string_view text(PairKind kind) {
  constexpr std::array<std::string_view, 4> words{"all", "sample", "shift", "none"};
  return words[static_cast<std::size_t>(kind)];
}

PairKind usual_pairs(int nodes) {
  return nodes <= most_nodes_of_all_pairs ? PairKind::all : PairKind::sample;
}

int usual_rounds(int nodes) {
  constexpr int least = 8;
  return std::max(least, static_cast<int>(std::ceil(2 * std::log2(std::max(nodes, 1)))));
}

PairSchedule::PairSchedule(PairKind kind, int nodes, int rounds, std::uint64_t seed, int visit)
    : kind_(kind),
      tournament_(nodes),
      place_of_(static_cast<std::size_t>(std::max(nodes, 0))),
      node_at_(reordered(nodes, seed, visit, Purpose::nodes)),
      order_(order_of_rounds(kind, nodes, rounds, seed, visit)) {
  for (std::size_t place = 0; place < node_at_.size(); ++place)
    place_of_[static_cast<std::size_t>(node_at_[place])] = static_cast<int>(place);
}

Turn PairSchedule::turn(int round, int of) const {
  const int place = place_of_[static_cast<std::size_t>(of)], step = order_[static_cast<std::size_t>(round)];
  if (kind_ == PairKind::shift) {
    const int nodes = static_cast<int>(node_at_.size());
    return {node((place + step) % nodes), node((place + nodes - step) % nodes)};
  }
  const auto other = tournament_.partner(step, place);
  if (!other) return {};
  return {node(*other), node(*other)};
}

}  // namespace steelyard::screen
