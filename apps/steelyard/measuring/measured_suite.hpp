// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "measuring/prepared.hpp"
#include "options/option_table.hpp"

namespace steelyard::cli {

/// A suite as it is measured. Its row is in its folder, the list of all in run/measured_suites.cpp.
struct MeasuredSuite {
  std::string_view name;
  /// The suite with the settings by the options of `run`, fitted into its share of the campaign. Throws UsageError.
  std::unique_ptr<suites::Suite> (*of_run)(const Values& values, const CampaignShare& share,
                                           const Place& place);
  /// Seconds that those benchmarks can use; nullopt: whatever there is. Throws UsageError.
  std::optional<suites::TimeRange> (*range)(const Values& values, const CampaignShare& share,
                                            const Place& place);
  /// The suite at tiny sizes, which only tell whether the data are right.
  std::unique_ptr<suites::Suite> (*tiny)(int processes);
  bool prescribes_sizes = false;                    // --sizes needs --not-official
  std::span<const Command* const> front_ends = {};  // subcommands that are its classic programs
};

}  // namespace steelyard::cli
