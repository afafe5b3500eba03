// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "machine/environment.hpp"
#include "machine/switches.hpp"
#include "measure/buffers.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/suite.hpp"
#include "survey/rates_store.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {

/// What the words meet: known after MPI_Init, assumed for --plan.
struct Place {
  int processes = 1;
  std::int64_t memory_byte = 0;       // per process, the least over all; 0 = unknown
  measure::OffCache cache;            // last-level cache of rank 0
  std::int64_t node_share_byte = 0;   // a process's equal share of all memory of its node, the least over all
  hpcc::CacheShare cache_share = {};  // of a process alone, and while all processes of its node work
  int domains = 1;                    // of NUMA, that processes of a node are bound to: of the node with most
  int spread = 1;                     // NUMA domains that one process may run on, of all the most
  survey::Surveyed survey = {};       // by which sizes and times are chosen
  [[nodiscard]] suites::World world() const { return {processes, survey.rates}; }
  std::shared_ptr<const hpcc::BlasInUse> blas = {};  // what computes; nothing: the linked one
  machine::Switches switch_of = {};                  // on rank 0, as far as it was told
};

/// What of a campaign's budget is one suite's.
struct CampaignShare {
  bool hurry = false;                        // at most what is made where everything is measured in a minute
  std::optional<suites::TimeShare> time;     // nothing: no limit
  std::vector<std::string> benchmarks = {};  // selected ones
};

/// The budget of the run that a resume continues, under this name among its values: sizes follow from it.
inline constexpr std::string_view first_budget = "first-budget";

/// A plan and the suites that will measure it. The same on all ranks.
struct Prepared {
  std::vector<std::unique_ptr<suites::Suite>>
      suites;  // that have planned it; of several steps, those of each
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

inline constexpr std::int64_t tenths_of_memory = 8;  // the rest is for the MPI library and the system

/// Memory and cache of this node shared by `processes`.
[[nodiscard]] Place node_place(int processes, const machine::Roots& roots = {});

/// This process alone: the same with the rates of their last survey here, if there was one.
[[nodiscard]] Place place_here(const Values& values, int processes);

/// Of the last-level cache, with so many processes on the node.
[[nodiscard]] hpcc::CacheShare cache_share(const machine::Cache& cache, int sharing);

/// What a survey of this place holds for.
[[nodiscard]] survey::Place survey_place(const Values& values, int processes);

/// What the survey of a `run` has to find out: rates that the selected suites depend on. Throws UsageError.
[[nodiscard]] std::set<suites::RateGroup> rate_groups(const Invocation& invocation);

/// What --off-cache says, "auto" being this machine's cache. Throws UsageError.
[[nodiscard]] measure::OffCache off_cache(const Values& values, const measure::OffCache& machine);

/// Part of the usable memory that one of `sharing` processes may plan with.
[[nodiscard]] std::int64_t memory_share(std::int64_t usable_byte, int sharing);

/// What a process may use at most: of what it may plan with, the part for the MPI library and the system
/// included.
[[nodiscard]] std::int64_t usable_byte(const Place& place);

/// `run`: selection, settings and plan. Throws UsageError.
[[nodiscard]] Prepared prepare_run(const Invocation& invocation, const Place& place);

/// Whether the selection of `run` holds what a BLAS computes: DGEMM or HPL. Throws UsageError.
[[nodiscard]] bool computes_with_blas(const Invocation& invocation);

/// Whether the selection of `run`, or of one step of it, holds the suite screen and no other. Throws UsageError.
[[nodiscard]] bool only_screens(const Values& values);

/// Combinations of options of `run` that make no sense, found without knowing the place. Throws UsageError.
void check_combinations(const Invocation& invocation);

}  // namespace steelyard::cli
