// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/control.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::beff {
namespace {

std::size_t index(Method method) {
  return static_cast<std::size_t>(method);
}

}  // namespace

void Control::start_repetition() {
  ++repetition_;
  shortened_ = false;
  best_.clear();
  lengths_.clear();
  for (std::size_t m = 0; m < methods.size(); ++m) {
    lengths_.emplace_back(loop_rule(settings_, pre_pass_s_[m].size()));
    if (!shortest_s_[m].empty()) pre_pass_s_[m] = std::exchange(shortest_s_[m], {});
    for (const double seconds : pre_pass_s_[m]) lengths_[m].add_pre_pass(seconds);
  }
}

bool Control::last_two_take_too_long() const {
  const int count = static_cast<int>(methods.size() - settings_.without_methods.size());
  return std::ranges::any_of(
      lengths_, [&](const auto& one) { return one.last_two_estimate_s(count) > settings_.last_two_limit_s; });
}

void Control::enter_length(std::size_t length) {
  if (length_ == length) return;
  if (length == 0) start_repetition();
  if (length == last_full_length + 1) shortened_ = settings_.shorten_last_two && last_two_take_too_long();
  for (std::size_t m = 0; m < methods.size(); ++m) iterations_[m] = lengths_[m].next();
  length_ = length;
}

Shortening Control::shortening(std::size_t length) const {
  if (!shortened_ || length <= last_full_length) return Shortening::none;
  return length + 1 == length_count ? Shortening::first_repetitions_only : Shortening::best_method_only;
}

std::optional<std::uint64_t> Control::iterations(const Place& place) {
  enter_length(place.length);
  const auto shortened = shortening(place.length);
  if (shortened == Shortening::none) return iterations_[index(place.method)];
  const auto best = best_.find(place.pattern);
  if (best != best_.end() && best->second.method != place.method) return std::nullopt;
  if (shortened == Shortening::first_repetitions_only && repetition_ > repetitions_of_longest)
    return std::nullopt;
  return 1;
}

void Control::measured(const Place& place, std::uint64_t iterations, double seconds) {
  lengths_[index(place.method)].add(seconds);
  if (place.length == 0)
    shortest_s_[index(place.method)].push_back(seconds / static_cast<double>(iterations) *
                                               pre_pass_iterations);
  if (place.length != last_full_length) return;
  const Best candidate{seconds / static_cast<double>(iterations), place.method};
  const auto [best, first] = best_.try_emplace(place.pattern, candidate);
  if (!first && candidate.iteration_s < best->second.iteration_s) best->second = candidate;
}

measure::Decision LoopSchedule::next(const measure::History& history) const {
  if (history.stop_requested) return measure::Stop{measure::StopReason::interrupted};
  if (history.visits > 0) {
    control_->measured(place_, history.ops, static_cast<double>(history.ops) * history.last_op_s);
    return measure::Stop{measure::StopReason::time};
  }
  const auto iterations = control_->iterations(place_);
  if (!iterations) return measure::Stop{measure::StopReason::time};
  return measure::Visit{
      .warmup = warmup_iterations(place_.length), .ops_per_batch = *iterations, .batches = 1};
}

}  // namespace steelyard::beff
