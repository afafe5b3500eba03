// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/representative.hpp"

#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {

std::string_view condition(Test test) {
  return rules_of(test).text().condition;
}

std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes) {
  return rules_of(benchmark.test).least_size(benchmark, settings, processes);
}

std::string expectation(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  return rules_of(spec.benchmark.test).expectation(spec, settings, world);
}

std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world) {
  const TestRules& rules = rules_of(spec.benchmark.test);
  const auto least = rules.least_size(spec, settings, world);
  if (!least || rules.size(spec) >= *least) return "";
  return rules.size_in_words(rules.size(spec)) + " where " + rules.size_in_words(*least) +
         " or more stand for this machine: " + std::string(rules.text().condition);
}

std::optional<double> memory_share(const PointSpec& spec, const Settings& settings) {
  const double counted = rules_of(spec.benchmark.test).counted_byte(spec);
  if (settings.node_share_byte <= 0 || counted <= 0) return std::nullopt;
  return counted / static_cast<double>(settings.node_share_byte);
}

bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings) {
  const auto share = memory_share(spec, settings);
  return share && rules_of(spec.benchmark.test).asks_for_more_than(*share);
}

}  // namespace steelyard::hpcc
