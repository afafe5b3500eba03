// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "measure/schedule.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beff/settings.hpp"

namespace steelyard::beff {

/// Ways in which a loop is left out or cut: marks in the table LOOPLNGS of release 3.6.
enum class Shortening { none, best_method_only, first_repetitions_only };

/// Decides the length of every loop of a run, repetition after repetition. Pure; used on rank 0 only, asked
/// in the order of measurement.
class Control {
 public:
  /// `pre_pass_s[method]`: seconds of each pattern's loop of pre_pass_iterations at the shortest length,
  /// before the first repetition. Later repetitions take the loops that the one before has measured at that
  /// length: as many iterations of the same messages, only more of them.
  Control(const Settings& settings, std::array<std::vector<double>, 3> pre_pass_s)
      : settings_(settings), pre_pass_s_(std::move(pre_pass_s)) {}

  /// Iterations of this loop now; nullopt if the shortened last two lengths leave it out.
  [[nodiscard]] std::optional<std::uint64_t> iterations(const Place& place);
  /// Takes note of the time of a loop, in seconds of the slowest process.
  void measured(const Place& place, std::uint64_t iterations, double seconds);

  /// Repetition (1, 2, 3; 0 before the first loop) and length of the loop asked for last.
  struct Now {
    int repetition = 0;
    std::size_t length = 0;
  };
  [[nodiscard]] Now now() const { return {repetition_, length_.value_or(0)}; }

  /// Shortening of a length in this repetition.
  [[nodiscard]] Shortening shortening(std::size_t length) const;

 private:
  void start_repetition();
  void enter_length(std::size_t length);
  [[nodiscard]] bool last_two_take_too_long() const;

  Settings settings_;
  std::array<std::vector<double>, 3> pre_pass_s_, shortest_s_;
  int repetition_ = 0;  // 1, 2, 3
  std::optional<std::size_t> length_;
  std::vector<LoopLengths> lengths_;  // by method
  std::array<std::uint64_t, 3> iterations_{};
  bool shortened_ = false;
  struct Best {
    double iteration_s;
    Method method;
  };
  std::map<std::size_t, Best> best_;  // by pattern, at the last length that is measured in full
};

/// Schedule of one point: one loop in each repetition, as long as the control says.
class LoopSchedule final : public measure::Schedule {
 public:
  LoopSchedule(std::shared_ptr<Control> control, const Place& place)
      : control_(std::move(control)), place_(place) {}
  [[nodiscard]] measure::Decision next(const measure::History& history) const override;
  [[nodiscard]] std::string_view rule() const override { return "time_driven"; }

 private:
  std::shared_ptr<Control> control_;
  Place place_;
};

/// Number of untimed iterations before a loop: one, but none at the last full length and the two after it.
[[nodiscard]] constexpr std::uint64_t warmup_iterations(std::size_t length) {
  return length < last_full_length ? 1 : 0;
}

}  // namespace steelyard::beff
