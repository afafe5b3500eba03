// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/launches.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::comparison {
namespace {

using record::PointRecord;
using record::State;
using record::Statistics;

// Probes that differ by more belong to another state (docs/methodology.md, "Machine states").
constexpr double same_c2c = 1.4, same_chain = 1.08, same_wide = 1.15;

bool near(const std::optional<double>& a, const std::optional<double>& b, double factor) {
  if (!a || !b || !(*a > 0) || !(*b > 0)) return true;
  return std::max(*a, *b) <= factor * std::min(*a, *b);
}

bool same_state(const State& a, const State& b) {
  return near(a.c2c_s, b.c2c_s, same_c2c) && near(a.chain_s, b.chain_s, same_chain) &&
         near(a.wide_s, b.wide_s, same_wide);
}

const State* state_like(const PointRecord& point, const State& wanted) {
  const auto found =
      std::ranges::find_if(point.states, [&](const State& s) { return same_state(s, wanted); });
  return found == point.states.end() ? nullptr : &*found;
}

/// A state that every launch with states was in; nothing if there is none.
std::optional<State> common_state(const Records& records) {
  const auto with_states = [](const PointRecord* point) { return !point->states.empty(); };
  const auto first = std::ranges::find_if(records, with_states);
  if (first == records.end()) return State{};
  for (const State& candidate : (*first)->states)
    if (std::ranges::all_of(records, [&](const PointRecord* point) {
          return point->states.empty() || state_like(*point, candidate) != nullptr;
        }))
      return candidate;
  return std::nullopt;
}

std::optional<double> statistic(const Statistics& held, std::string_view name) {
  if (name.empty() || name == "median") return held.median;
  const std::pair<std::string_view, std::optional<double>> known[] = {
      {"min", held.min}, {"p05", held.p05}, {"p25", held.p25},   {"p75", held.p75},
      {"p95", held.p95}, {"p99", held.p99}, {"mean", held.mean}, {"max", held.max}};
  for (const auto& [word, value] : known)
    if (word == name) return value;
  return std::nullopt;
}

std::optional<stats::Interval> interval(const std::optional<std::pair<double, double>>& ends) {
  return ends ? std::optional(stats::Interval{ends->first, ends->second}) : std::nullopt;
}

std::optional<Value> of_statistics(const Statistics& held, const std::string& name) {
  const auto value = statistic(held, name);
  if (!value || !(*value > 0) || !std::isfinite(*value)) return std::nullopt;
  if (!name.empty()) return Value{*value, {}, {}};
  return Value{*value, interval(held.ci), held.visit_medians};
}

std::optional<Value> of_metric(const PointRecord& point, const MetricChoice& choice) {
  for (const auto& [name, metric] : point.metrics) {
    if (name != choice.metric) continue;
    if (const auto* held = std::get_if<Statistics>(&metric)) return of_statistics(*held, choice.statistic);
    const auto* plain = std::get_if<double>(&metric);
    if (plain != nullptr && *plain > 0 && choice.statistic.empty()) return Value{*plain, {}, {}};
  }
  return std::nullopt;
}

/// The median of the state, where the record tells more than one.
std::optional<Value> of_state(const PointRecord& point, const MetricChoice& choice, const State& wanted) {
  auto value = of_metric(point, choice);
  const bool told = choice.metric == "time_s" && choice.statistic.empty() && point.states.size() > 1;
  const State* state = told ? state_like(point, wanted) : nullptr;
  if (!value || state == nullptr || !(state->median > 0)) return value;
  return Value{state->median, interval(state->ci), {}};
}

std::vector<Value> of_side(const Side& side, const Options& options, const State& state) {
  std::vector<Value> list;
  for (std::size_t i = 0; i < side.records.size(); ++i) {
    const PointRecord& point = *side.records[i];
    auto value = of_state(point, metric_choice(options, point), state);
    if (!value) continue;
    value->launch = side.launches[i];
    list.push_back(std::move(*value));
  }
  return list;
}

/// Of `list` what belongs to a launch that `other` has too.
void keep_common(std::vector<Value>& list, const std::vector<Value>& other) {
  std::erase_if(list, [&](const Value& one) {
    return std::ranges::find(other, one.launch, &Value::launch) == other.end();
  });
}

}  // namespace

MetricChoice metric_choice(const Options& options, const PointRecord& point) {
  if (options.metric.empty()) return {point.primary, {}};
  const std::size_t dot = options.metric.find('.');
  if (dot == std::string::npos) return {options.metric, {}};
  return {options.metric.substr(0, dot), options.metric.substr(dot + 1)};
}

Values values(const Matched& matched, const Options& options) {
  Records all = matched.base.records;
  all.insert(all.end(), matched.now.records.begin(), matched.now.records.end());
  const auto state = common_state(all);
  const State used = state.value_or(State{});
  Values found{of_side(matched.base, options, used), of_side(matched.now, options, used), state.has_value()};
  if (options.launches == Launches::paired && !found.base.empty() && !found.now.empty()) {
    keep_common(found.base, found.now);
    keep_common(found.now, found.base);
  }
  return found;
}

}  // namespace steelyard::comparison
