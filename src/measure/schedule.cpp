// SPDX-License-Identifier: Apache-2.0
#include "measure/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace steelyard::measure {
namespace {

constexpr double clock_share = 0.01;
constexpr double grid_share = 0.2;
constexpr std::uint64_t most_values = 4096;

constexpr double trial_in_clock_figures = 100;
constexpr double shortest_trial_s = 20e-6;
constexpr std::uint64_t most_trial_ops = 65536;
constexpr double beyond_interruptions_s = 1;

constexpr std::array looks{6, 8, 11, 16, 22, 32, 45, 64};

/// Smallest whole number not below x, where rounding errors of x do not make it one more.
std::uint64_t round_up(double x) {
  return static_cast<std::uint64_t>(std::ceil(x * (1 - 1e-12)));
}

double coarser(const ClockFigures& clock) {
  return std::max(clock.cost_s, clock.step_s);
}

class FixedSchedule final : public Schedule {
 public:
  FixedSchedule(std::uint64_t ops, std::uint64_t warmup) : ops_(ops), warmup_(warmup) {}

  Decision next(const History& history) const override {
    if (history.stop_requested) return Stop{StopReason::interrupted};
    if (history.ops >= ops_) return Stop{StopReason::count};
    if (history.ops == 0) return Visit{warmup_, batch(), ops_ / batch()};
    return Visit{0, ops_ - history.ops, 1};
  }
  std::string_view rule() const override { return "fixed"; }

 private:
  static constexpr std::uint64_t most_batches = 64, enough_batches = 32;

  /// The smallest size that divides into at most 64 batches if that leaves at least 32 of them.
  [[nodiscard]] std::uint64_t batch() const {
    for (std::uint64_t batches = most_batches; batches >= enough_batches; --batches) {
      if (ops_ % batches == 0) return ops_ / batches;
    }
    return (ops_ + most_batches - 1) / most_batches;
  }

  std::uint64_t ops_, warmup_;
};

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014). The standard library's shuffle
/// differs between implementations; ranks must agree.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

std::unique_ptr<Schedule> fixed_schedule(std::uint64_t ops, std::uint64_t warmup) {
  if (ops == 0) throw std::invalid_argument("a fixed schedule needs at least one operation");
  return std::make_unique<FixedSchedule>(ops, warmup);
}

std::uint64_t ops_per_batch(double op_s, double half_width, const ClockFigures& clock,
                            std::uint64_t planned_ops) {
  const double t = std::max(op_s, least_op_s);
  const std::uint64_t by_clock = round_up(coarser(clock) / (clock_share * t));
  const std::uint64_t by_grid = round_up(clock.step_s / (grid_share * half_width * t));
  const std::uint64_t by_memory = (planned_ops + most_values - 1) / most_values;
  const auto longest = static_cast<std::uint64_t>(longest_batch_s / t * (1 + 1e-12));
  return std::max<std::uint64_t>(1, std::min(std::max({by_clock, by_grid, by_memory}), longest));
}

std::optional<Trial> next_trial(std::span<const TrialResult> trials, const ClockFigures& clock) {
  if (trials.empty()) return Trial{1, beyond_interruptions_s};
  const TrialResult& last = trials.back();
  const bool interrupted_perhaps = last.seconds > longest_batch_s && last.seconds <= beyond_interruptions_s;
  if (trials.size() == 1 && interrupted_perhaps) return Trial{1, std::max(longest_batch_s, last.seconds / 2)};
  const double enough_s = std::max(trial_in_clock_figures * coarser(clock), shortest_trial_s);
  if (last.seconds >= enough_s || last.seconds > longest_batch_s || last.ops >= most_trial_ops) return {};
  return Trial{std::min(2 * last.ops, most_trial_ops), std::nullopt};
}

bool is_look(int round) {
  return std::ranges::find(looks, round) != looks.end();
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, std::uint64_t block,
                                  std::uint64_t round) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t state = mix(mix(mix(seed) ^ block) ^ round);
  for (std::size_t left = n; left > 1; --left) {
    state = mix(state);
    std::swap(order[left - 1], order[state % left]);
  }
  return order;
}

}  // namespace steelyard::measure
