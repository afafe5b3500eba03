// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/representative.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "suites/hpcc/hpl/model.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

using enum Test;
using enum Mode;

/// One row per test: what is asked, and the multiple of the cache that its vectors or its table must take.
struct Condition {
  Test test;
  std::string_view text;
  double cache_multiple = 0;
};

constexpr auto conditions = std::to_array<Condition>({
    {random_access, "a table of at least 4 times the last-level cache in use", 4},
    {ptrans, "two matrices that together take at least twice the last-level cache in use", 2},
    {dgemm, "order 1000 or more"},
    {stream, "arrays of at least 4 times the last-level cache in use, each", 4},
    {fft, "input and result that together take at least twice the last-level cache in use", 2},
    {latency_bandwidth, ""},
    {solver, "an order with an expected efficiency of at least 0.85 of that at half of the memory"},
});
constexpr std::int64_t least_dgemm_order = 1000;

// Where nothing tells the size of a cache: more than most cores have.
constexpr std::int64_t assumed_cache_byte = 64 << 20;

const Condition& condition_of(Test test) {
  return *std::ranges::find(conditions, test, &Condition::test);
}

/// Of a process in this mode.
std::int64_t cache_byte(Mode mode, const Settings& settings) {
  const auto& cache = settings.cache;
  if (cache.alone_byte <= 0) return assumed_cache_byte;
  return mode == single || cache.together_byte <= 0 ? cache.alone_byte : cache.together_byte;
}

/// Bytes that the condition is about, of a process.
std::int64_t asked_byte(const Benchmark& benchmark, const Settings& settings) {
  const double multiple = condition_of(benchmark.test).cache_multiple;
  return static_cast<std::int64_t>(
      std::ceil(multiple * static_cast<double>(cache_byte(benchmark.mode, settings))));
}

std::int64_t divided_up(std::int64_t amount, std::int64_t by) {
  return (amount + by - 1) / by;
}

/// 2^bits is at least that much.
int bits_for(std::int64_t amount) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(amount, 1) - 1)));
}

std::int64_t least_transform(std::int64_t elements, Smoothness smoothness) {
  if (smoothness == Smoothness::two) return std::int64_t{1} << bits_for(elements);
  for (auto limit = elements;; limit += limit / 16 + 1)
    if (const auto found = largest(smoothness, limit); found >= elements) return found;
}

/// A length of the transform over all processes is a multiple of their number squared.
std::int64_t least_global_transform(std::int64_t elements, const Settings& settings, int processes) {
  const auto used = std::int64_t{largest(settings.fft, processes)};
  const auto factor = least_transform(divided_up(elements, used), settings.fft);
  return factor * used * used;
}

std::string size_words(const PointSpec& spec, std::int64_t size) {
  switch (spec.benchmark.test) {
    case random_access:
      return "2^" + std::to_string(size) + " words";
    case stream:
    case fft:
      return std::to_string(size) + " elements";
    default:
      return "order " + std::to_string(size);
  }
}

std::int64_t size_of(const PointSpec& spec) {
  return spec.benchmark.test == random_access ? spec.bits : spec.length;
}

/// Bytes per process of what the rules count; buffers of the implementation are none of theirs.
double counted_byte(const PointSpec& spec) {
  const auto length = static_cast<double>(spec.length);
  const double processes = spec.processes;
  switch (spec.benchmark.test) {
    case Test::random_access:
      return 8 * static_cast<double>(std::int64_t{1} << spec.bits) / processes;
    case Test::stream:
      return 3 * 8 * length;
    case Test::fft:
      return 2 * 16 * length / processes;
    case Test::dgemm:
      return 3 * 8 * length * length;
    case Test::ptrans:
      return 2 * 8 * length * length / processes;
    case Test::latency_bandwidth:
      return 0;
    case Test::solver:
      return 8 * length * length / processes;
  }
  return 0;
}

}  // namespace

std::string_view condition(Test test) {
  return condition_of(test).text;
}

std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes) {
  const auto bytes = asked_byte(benchmark, settings);
  const std::int64_t sharing = benchmark.mode == global ? processes : 1;
  switch (benchmark.test) {
    case random_access:
      return bits_for(divided_up(bytes, 8) * sharing);
    case ptrans: {
      const auto elements = static_cast<double>(divided_up(bytes, 16) * sharing);
      return static_cast<std::int64_t>(std::ceil(std::sqrt(elements)));
    }
    case dgemm:
      return least_dgemm_order;
    case stream:
      return divided_up(bytes, 8);
    case fft: {
      const auto elements = divided_up(bytes, 32);
      return benchmark.mode == global ? least_global_transform(elements, settings, processes)
                                      : least_transform(elements, settings.fft);
    }
    case latency_bandwidth:
    case solver:
      break;
  }
  return 0;
}

namespace {

std::int64_t half_memory_order(const hpl::Variant& variant, const Settings& settings) {
  constexpr std::int64_t unknown_memory = std::int64_t{4} << 30;
  const auto each = settings.node_share_byte > 0 ? settings.node_share_byte : unknown_memory;
  return hpl::half_memory_order(each * variant.grid.processes(), variant.nb);
}

}  // namespace

std::int64_t least_solver_order(const hpl::Variant& variant, const Settings& settings,
                                const suites::Rates& rates, double part) {
  return hpl::least_order(variant, half_memory_order(variant, settings), part, rates);
}

std::string expectation(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  const bool known = world.rates.origin != suites::Rates::Origin::assumed && !world.rates.panels.empty();
  if (spec.benchmark.test != solver || !known) return "";
  hpl::Variant largest = spec.solver;
  largest.n = half_memory_order(spec.solver, settings);
  const auto percent = [&](const hpl::Variant& variant) {
    return units::format_fixed(100 * hpl::expected_efficiency(variant, world.rates), 0) + " %";
  };
  return "N " + std::to_string(spec.solver.n) + ", NB " + std::to_string(spec.solver.nb) + ": " +
         percent(spec.solver) + " of the rate of its matrix products is expected, " + percent(largest) +
         " with N " + std::to_string(largest.n) + " in half of the memory";
}

std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  const bool solves = spec.benchmark.test == solver;
  const bool known = world.rates.origin != suites::Rates::Origin::assumed && !world.rates.panels.empty();
  if (solves && !known) return "";
  const auto least = solves ? least_solver_order(spec.solver, settings, world.rates)
                            : least_size(spec.benchmark, settings, spec.processes);
  if (size_of(spec) >= least) return "";
  return size_words(spec, size_of(spec)) + " where " + size_words(spec, least) +
         " or more stand for this machine: " + std::string(condition(spec.benchmark.test));
}

std::optional<double> memory_share(const PointSpec& spec, const Settings& settings) {
  const double counted = counted_byte(spec);
  if (settings.node_share_byte <= 0 || counted <= 0) return std::nullopt;
  return counted / static_cast<double>(settings.node_share_byte);
}

bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings) {
  const auto share = memory_share(spec, settings);
  if (!share) return false;
  // The largest power of two up to a half is more than a quarter.
  if (spec.benchmark.test == Test::random_access) return *share <= 0.25;
  if (spec.benchmark.test == Test::solver) return *share < 0.5;
  const bool vectors = spec.benchmark.test == Test::stream || spec.benchmark.test == Test::fft;
  return vectors && *share < 0.25;
}

}  // namespace steelyard::hpcc
