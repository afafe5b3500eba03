// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "campaign/plan.hpp"
#include "options/resolve.hpp"
#include "suites/rates.hpp"

/// Benchmarks that the options of `run` select.
namespace steelyard::cli {

/// Values of every step of a run, those of [run] under them; one step if the configuration file names none. A step of
/// which --exclude for all steps leaves nothing is none. Throws UsageError where that is every step, and for a step that
/// excludes itself.
[[nodiscard]] std::vector<Values> steps_of(const Invocation& invocation);

/// Benchmarks of these suites that SELECT and --exclude name. Throws UsageError.
[[nodiscard]] std::vector<campaign::Selected> selected_of(const Values& values,
                                                          const std::vector<const suites::Suite*>& all);

/// Rates that the selected suites depend on, which the survey of a `run` has to find out. Throws UsageError.
[[nodiscard]] std::set<suites::RateGroup> rate_groups(const Invocation& invocation);

/// Whether a BLAS computes something of the selection: DGEMM or HPL of hpcc, or dgemm of screen. Throws UsageError.
[[nodiscard]] bool computes_with_blas(const Invocation& invocation);

/// Whether the selections of all steps hold the suite screen and no other. Throws UsageError.
[[nodiscard]] bool only_screens(const Invocation& invocation);

}  // namespace steelyard::cli
