// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "words/resolve.hpp"
#include "measuring/suites.hpp"

namespace steelyard::cli {

/// What the words meet: known after MPI_Init, assumed for --plan.
struct Place {
  int processes = 1;
  std::int64_t memory_byte = 0;  // per process, the least over all; 0 = unknown
  measure::OffCache cache;       // last-level cache of rank 0
  std::int64_t node_share_byte = 0;  // a process's equal share of all memory of its node, the least over all
};

/// What of a campaign's budget is one suite's.
struct CampaignShare {
  bool hurry = false;             // at most what is made where everything is measured in a minute
  std::optional<double> seconds;  // nothing: no limit
  std::vector<std::string> benchmarks = {};  // selected ones
};

/// The budget of the run that a resume continues, under this name among its values: sizes follow from it.
inline constexpr std::string_view first_budget = "first-budget";

/// A plan and the settings of the suites that will measure it. The same on all ranks.
struct Prepared {
  SuiteSettings suites;
  campaign::PlanOptions options;
  campaign::Plan plan;
};

/// This process alone: memory and cache of this node shared by `processes`.
[[nodiscard]] Place place_here(int processes);

/// Part of the usable memory that one of `sharing` processes may plan with.
[[nodiscard]] std::int64_t memory_share(std::int64_t usable_byte, int sharing);

/// What a process may use at most: of what it may plan with, the part for the MPI library and the system
/// included.
[[nodiscard]] std::int64_t usable_byte(const Place& place);

/// `run`: selection, settings and plan. Throws UsageError.
[[nodiscard]] Prepared prepare_run(const Invocation& invocation, const Place& place);

/// Combinations of options of `run` that make no sense, found without knowing the place. Throws UsageError.
void check_combinations(const Invocation& invocation);

/// imb-mpi1 and its kin: the same for the front-end's words.
[[nodiscard]] Prepared prepare_imb(const Invocation& invocation, const Place& place);

/// b-eff: the same. Throws Refused where b_eff cannot be measured at all.
[[nodiscard]] Prepared prepare_beff(const Invocation& invocation, const Place& place);

/// b-eff-io: the same. Throws Refused where the memory per process is not known.
[[nodiscard]] Prepared prepare_beffio(const Invocation& invocation, const Place& place);

/// ftio: the same. Throws Refused where a rule needs the memory of the nodes and it is not known.
[[nodiscard]] Prepared prepare_ftio(const Invocation& invocation, const Place& place);

}  // namespace steelyard::cli
