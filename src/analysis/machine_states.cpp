// SPDX-License-Identifier: Apache-2.0
#include "analysis/machine_states.hpp"

#include <algorithm>

#include "stats/states.hpp"

namespace steelyard::analysis {
namespace {

using stats::same_c2c;
constexpr double least_of_others = 0.2;

bool near(const std::optional<double>& a, const std::optional<double>& b, double factor) {
  if (!a || !b || !(*a > 0) || !(*b > 0)) return true;
  return std::max(*a, *b) <= factor * std::min(*a, *b);
}

/// c2c_s of the state with most visits; nullopt if it is not known.
std::optional<double> c2c_of(const record::PointRecord& point) {
  if (point.states.empty()) return std::nullopt;
  const auto& c2c_s = point.states.front().c2c_s;
  return c2c_s && *c2c_s > 0 ? c2c_s : std::nullopt;
}

}  // namespace

bool same_state(const record::State& one, const record::State& other) {
  return near(one.c2c_s, other.c2c_s, same_c2c) && near(one.chain_s, other.chain_s, stats::same_chain) &&
         near(one.wide_s, other.wide_s, stats::same_wide);
}

StatesOfRun::StatesOfRun(std::span<const record::PointRecord> points) {
  for (const auto& point : points) {
    if (!point.schedule || !point.schedule->elapsed_s) continue;
    for (const auto& state : point.states)
      if (state.c2c_s && *state.c2c_s > 0)
        seconds_up_to_.emplace_back(*state.c2c_s, state.share * *point.schedule->elapsed_s);
  }
  std::ranges::sort(seconds_up_to_);
  double sum = 0;
  for (auto& [c2c_s, seconds] : seconds_up_to_) seconds = sum += seconds;
}

double StatesOfRun::seconds_up_to(double c2c_s) const {
  const auto after = std::ranges::upper_bound(seconds_up_to_, c2c_s, {}, &std::pair<double, double>::first);
  return after == seconds_up_to_.begin() ? 0 : std::prev(after)->second;
}

std::optional<double> StatesOfRun::share_like(const record::PointRecord& point) const {
  const auto c2c_s = c2c_of(point);
  if (!c2c_s || seconds_up_to_.empty() || !(seconds_up_to_.back().second > 0)) return std::nullopt;
  const double like = seconds_up_to(*c2c_s * same_c2c) - seconds_up_to(*c2c_s / same_c2c);
  return like / seconds_up_to_.back().second;
}

bool StatesOfRun::others_than_of(const record::PointRecord& point) const {
  const auto like = share_like(point);
  return like && 1 - *like >= least_of_others;
}

}  // namespace steelyard::analysis
