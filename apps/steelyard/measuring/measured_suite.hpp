// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "measuring/place.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "suites/suite.hpp"
#include "survey/rates_store.hpp"

namespace steelyard::cli {

/// Part of a campaign's budget that one suite gets.
struct CampaignShare {
  bool hurry = false;                        // no more than fits if everything is measured in a minute
  std::optional<suites::TimeShare> time;     // nullopt: no limit
  std::vector<std::string> benchmarks = {};  // selected ones of the suite
  bool alone = false;                        // no step of the campaign measures another suite
};

/// Name of the value with the budget of the run that a resume continues: sizes follow from it.
inline constexpr std::string_view first_budget = "first-budget";

/// A plan and the suites that will measure it. The same on all ranks.
struct Prepared {
  std::vector<std::unique_ptr<suites::Suite>> suites;  // that have planned it, those of each step
  campaign::PlanOptions options;
  campaign::Plan plan;
  survey::Surveyed survey = {};                      // by which it was made
  std::shared_ptr<const hpcc::BlasInUse> blas = {};  // as in the place

  /// Settings of the first suite of this name, which must be a `Definition`.
  template <class Definition>
  [[nodiscard]] const auto& settings(std::string_view suite) const {
    for (const auto& one : suites)
      if (one->name() == suite) return dynamic_cast<const Definition&>(*one).settings();
    throw std::logic_error("the plan has no suite " + std::string(suite));
  }
};

/// A suite as it is measured. Its row is in its folder, the list of all in run/plan.cpp.
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
