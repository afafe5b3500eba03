// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/test_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

/// Last-level cache of a process in this mode.
std::int64_t cache_byte(Mode mode, const Settings& settings) {
  const auto cache = settings.cache.or_assumed();
  return mode == Mode::single ? cache.alone_byte : cache.together_byte;
}

/// Words on a cache that nobody knows; empty where the machine tells its size, or where the condition is not about it.
std::string of_assumed_cache(std::string_view condition, const Settings& settings) {
  if (settings.cache.alone_byte > 0 || condition.find("cache") == condition.npos) return "";
  return " (the machine tells of none, taken are " +
         units::format_size(Bytes{settings.cache.or_assumed().alone_byte}) + ")";
}

}  // namespace

double Pace::product_s(double flop) const {
  return flop / (alone_ ? rates_.product_alone_flop_s : rates_.product_flop_s);
}
double Pace::stream_s(double byte) const {
  return byte / (alone_ ? rates_.triad_alone_byte_s : rates_.triad_byte_s);
}
double Pace::updates_s(double updates) const {
  return updates / (alone_ ? rates_.access_alone_update_s : rates_.access_update_s);
}
double Pace::transform_s(double flop) const {
  return flop / (alone_ ? rates_.transform_alone_flop_s : rates_.transform_flop_s);
}
double Pace::exchange_s(double byte) const {
  return byte / std::min(rates_.exchange_byte_s, rates_.far_exchange_byte_s);
}

std::optional<Obstacle> TestRules::obstacle(const PointSpec& spec, int /*world*/) const {
  if (spec.length >= 1) return std::nullopt;
  return Obstacle{record::ReasonCode::unsupported, "the problem leaves nothing for this test"};
}

std::optional<PointSpec> TestRules::small_point(const PointSpec& spec, const Settings& settings,
                                                int world) const {
  constexpr std::int64_t times_smaller = 64;
  Settings small = settings;
  small.memory_byte = memory_of(settings) / times_smaller;
  small.representative = small.long_vectors = false;
  const auto specs = points(small, spec, world);
  if (specs.empty() || obstacle(specs.front(), world)) return std::nullopt;
  return specs.front();
}

PointSpec TestRules::at_least(const Settings& settings, int processes, PointSpec spec,
                              std::int64_t size) const {
  if (!wants_least_size(settings)) return spec;
  const auto least = least_size(spec.benchmark, settings, processes);
  if (least > size) set_size(spec, least);
  return spec;
}

std::int64_t memory_of(const Settings& settings) {
  return settings.memory_byte ? *settings.memory_byte : memory_per_process(settings.problem);
}

std::int64_t cache_multiple_byte(double multiple, Mode mode, const Settings& settings) {
  return static_cast<std::int64_t>(std::ceil(multiple * static_cast<double>(cache_byte(mode, settings))));
}

int bits_for(std::int64_t amount) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(amount, 1) - 1)));
}

std::optional<Obstacle> lack_of_processes(const PointSpec& spec, int world) {
  if (spec.processes <= world) return std::nullopt;
  return Obstacle{record::ReasonCode::processes,
                  "the grid needs " + std::to_string(spec.processes) + " processes"};
}

std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes) {
  return benchmark.test().least_size(benchmark, settings, processes);
}

std::string expectation(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  return spec.benchmark.test().expectation(spec, settings, world);
}

std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  const TestRules& rules = spec.benchmark.test();
  const auto least = rules.least_size(spec, settings, world);
  if (!least || rules.size(spec) >= *least) return "";
  const std::string asked = rules.size_in_words(*least) + " or more";
  const std::string condition(rules.text().condition);
  return rules.size_in_words(rules.size(spec)) + " where " + asked + " stand for this machine" +
         (condition == asked ? "" : ": " + condition) + of_assumed_cache(condition, settings);
}

std::optional<double> memory_share(const PointSpec& spec, const Settings& settings) {
  const double counted = spec.benchmark.test().counted_byte(spec);
  if (settings.node_share_byte <= 0 || counted <= 0) return std::nullopt;
  return counted / static_cast<double>(settings.node_share_byte);
}

bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings) {
  const auto share = memory_share(spec, settings);
  return share && spec.benchmark.test().asks_for_more_than(*share);
}

}  // namespace steelyard::hpcc
