// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "suites/ftio/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::ftio {

inline constexpr std::string_view suite_name = "ftio";
inline constexpr std::string_view benchmark_name = "FTIO";

/// Identity of a point: input_parameter, run (from 1), and what departs from the rule.
[[nodiscard]] record::Params identity(const Settings& settings, std::int64_t parameter, int run);
/// Specification of a point.
struct RunSpec {
  std::int64_t parameter = 0;
  int run = 1;  // of this parameter
};

/// The suite ftio: one benchmark, one block per run. Pure.
class Definition : public suites::DefinedSuite<Settings> {
 public:
  explicit Definition(Settings settings);
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] record::Members configuration() const override;
};

/// The same suite, measurable (only in builds with MPI; library steelyard_ftio).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Memory of one process by the definition's bound: eight row sections, in which the tables and the work
/// space of the program's own transforms have room too, and no more of larger batches.
[[nodiscard]] Bytes memory_bound(const Shape& shape, const Batches& batches);

/// Settings as `best`, with the largest input parameter whose runs are expected to take at most the suite's
/// time and whose matrix is at most 1 GiB; its own parameters if there is none. Fewer runs if even those take
/// longer; nothing is measured if one does (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// Times of one run with the usual parameter, and of all runs with the largest one.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::ftio
