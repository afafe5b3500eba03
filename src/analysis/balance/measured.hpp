// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string_view>

#include "analysis/balance/system.hpp"
#include "analysis/warnings.hpp"
#include "record/file.hpp"

/// Systems from what was measured: records of a run, or the Summary of HPC Challenge.
namespace steelyard::balance {

/// Sets quantities that the keys of a Summary tell (docs/suites/hpcc.md), and which were measured by a part
/// of the processes. Keys that are absent or not above 0 are missing.
void take_hpcc_summary(System& system, const record::Members& summary);

/// Tests that Success = 0 is of in the Summary of another program: those whose residual or share of errors is too large,
/// or all of the suite if there is none. Empty for another Success.
[[nodiscard]] std::set<std::string_view> failed_hpcc_tests(const record::Members& summary);

/// Reads Success in the Summary of another program: figures of tests that failed are wrong, and without it none was
/// verified.
void take_hpcc_success(System& system, const record::Members& summary);

/// Flag of points whose size says nothing about the machine; classic `condition` says why.
inline constexpr std::string_view not_representative_flag = "not_representative";

/// Quantity that a value of a summary is, by its name there, which is another one for some.
[[nodiscard]] std::optional<Quantity> quantity_of_summary(std::string_view name);

/// System of a run: layout and memory of the run record, and what the summaries of hpcc, b_eff, b_eff_io and
/// FTIO tell; intervals where the points have them. Figures of points that are not representative are
/// withheld. The curve is the name of the machine and the threads of a process.
[[nodiscard]] System system_of_run(const record::Run& run);
/// The same of a run without its points of IMB but those that give a merit; `states` are of all its points.
[[nodiscard]] System system_of_run(const record::Run& run, const analysis::StatesOfRun& states);

/// Takes HPL, STREAM and HPCG of a run that was read from the text of another program: it has
/// no summary of them. Of HPC Challenge it takes what its Success says.
void take_imported(const record::Run& run, System& system);

/// Evidence on causes from the records of a run.
[[nodiscard]] Evidence evidence_of(const record::Run& run);

/// Processes on each node, by the run-length list of the layout; empty if it is not recorded.
[[nodiscard]] std::vector<int> processes_per_node(const record::RunRecord& run);

}  // namespace steelyard::balance
