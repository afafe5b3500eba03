// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "suites/beff/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::beff {

inline constexpr std::string_view suite_name = "b-eff";
inline constexpr std::string_view benchmark_name = "b_eff";

/// Place of a point in the experiment: its specification in the plan.
struct Place {
  std::size_t length = 0;   // k
  std::size_t pattern = 0;  // number in the pattern table
  Method method = Method::sendrecv;
};

/// All loops of one repetition in the order of measurement: lengths outermost, methods innermost.
[[nodiscard]] std::vector<Place> places(const PatternTable& table, const Settings& settings);

/// Identity of a point: message_byte, method, pattern, and the seed for random polygons.
[[nodiscard]] record::Params identity(const Place& place, const PatternTable& table,
                                      const Settings& settings);

/// The suite b-eff: one benchmark, one block of all places. Pure.
class Definition : public suites::DefinedSuite<Settings> {
 public:
  explicit Definition(Settings settings);
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] record::Members configuration() const override;
};

/// The same suite, measurable (only in builds with MPI; library steelyard_beff).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Settings with the least departure from `best` that are expected to take at most the suite's time: `best`
/// itself, then shorter loops and fewer polygons, as -short, with two polygons, and in the end as -test.
/// Messages are always as long as the rule asks. What departs from it is told by departures(). If even the
/// least takes longer, nothing is measured (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// Times with the settings of the last step and with `best`.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::beff
