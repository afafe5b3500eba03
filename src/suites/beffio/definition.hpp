// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "suites/beffio/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::beffio {

inline constexpr std::string_view suite_name = "b-eff-io";
inline constexpr std::string_view benchmark_name = "b_eff_io";

/// One access method in one partition: a block of the plan, measured as a whole.
struct AccessBlock {
  Access access = Access::write;
  std::size_t partition = 0;  // index in the list
  int processes = 1;
};
/// Blocks in the order of measurement. Partitions of more than `world` processes are left out.
[[nodiscard]] std::vector<AccessBlock> access_blocks(const Settings& settings, int world);

/// Identity of a point: access, pattern, and chunk_byte but for a fill-up.
[[nodiscard]] record::Params identity(Access access, const Pattern& pattern);
/// Specification of a point: the access method and the pattern's number.
struct PatternSpec {
  Access access = Access::write;
  int pattern = 0;
};
/// Specification of a recorded point. Throws std::invalid_argument if it is none of this suite.
[[nodiscard]] PatternSpec recorded_spec(const record::Params& params);

/// The suite b-eff-io: one benchmark, one block per access method and partition. Pure.
class Definition : public suites::DefinedSuite<Settings> {
 public:
  explicit Definition(Settings settings);
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] record::Members configuration() const override;
};

/// The same suite, measurable (only in builds with MPI; library steelyard_beffio).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Settings as `best`, with the longest scheduled time, at most its own, with which the patterns, each once
/// at least, are expected to take at most the suite's time. If that does not suffice: as hurried(). If even
/// that takes longer, nothing is measured (needs_budget_s).
[[nodiscard]] Settings fitted(const Settings& best, const suites::TimeShare& time,
                              const suites::World& world);

/// Times as hurried() with the shortest schedule, and with `best`.
[[nodiscard]] suites::TimeRange time_range(const Settings& best, const suites::World& world);

}  // namespace steelyard::beffio
