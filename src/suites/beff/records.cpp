// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/records.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::beff {
namespace {

std::string text(PatternSet set) {
  if (set == PatternSet::ring) return "ring";
  return set == PatternSet::random ? "random" : "additional";
}

void describe(const Pattern& pattern, record::Members& classic) {
  classic.emplace_back("pattern_name", pattern.name);
  classic.emplace_back("set", text(pattern.set));
  classic.emplace_back("slots", std::int64_t{pattern.slots});
  classic.emplace_back("messages", pattern.messages);
  classic.emplace_back("used", std::int64_t{pattern.used});
}

/// One value per measured repetition.
template <class ValueOf>
std::vector<double> each(const std::vector<measure::PassValues>& passes, ValueOf value_of) {
  std::vector<double> values;
  for (const auto& pass : passes) values.push_back(value_of(pass));
  return values;
}

/// Bandwidths of single processes, by repetition.
void describe_repetitions(const std::vector<measure::PassValues>& passes, double byte_per_process,
                          record::Members& classic) {
  const auto ops = [](const auto& pass) { return static_cast<double>(pass.ops); };
  classic.emplace_back("repetition", each(passes, [](const auto& p) { return static_cast<double>(p.pass); }));
  classic.emplace_back("looplength", each(passes, ops));
  classic.emplace_back("repeats_s", each(passes, [&](const auto& p) { return ops(p) * p.ranks.max_s; }));
  classic.emplace_back("min_byte_s",
                       each(passes, [&](const auto& p) { return byte_per_process / p.ranks.max_s; }));
  classic.emplace_back(
      "avg_byte_s", each(passes, [&](const auto& p) { return byte_per_process * p.ranks.mean_rate_op_s; }));
  classic.emplace_back("max_byte_s",
                       each(passes, [&](const auto& p) { return byte_per_process / p.ranks.min_s; }));
}

}  // namespace

record::PointRecord point_record(const Pattern& pattern, Bytes length, const measure::Outcome& outcome,
                                 record::PointRecord record) {
  describe(pattern, record.classic);
  const auto& passes = outcome.passes;
  if (passes.empty()) return record;
  const double bytes = static_cast<double>(length.count());
  describe_repetitions(passes, bytes * pattern.slots, record.classic);
  const auto best = std::ranges::min_element(passes, {}, [](const auto& p) { return p.ranks.max_s; });
  const double bandwidth = bytes * static_cast<double>(pattern.messages) / best->ranks.max_s;
  record.classic.emplace_back("best_s", static_cast<double>(best->ops) * best->ranks.max_s);
  record.classic.emplace_back("bandwidth_byte_s", bandwidth);
  record.metrics.emplace_back("bandwidth_byte_s", bandwidth);
  record.metrics.emplace_back("time_s", outcome.time);
  record.primary = "bandwidth_byte_s";
  record.lower_is_better = false;
  return record;
}

}  // namespace steelyard::beff
