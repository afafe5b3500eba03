// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/option_table.hpp"

namespace steelyard::acceptance {
struct Criteria;
struct Launch;
struct Sheet;
}  // namespace steelyard::acceptance
namespace steelyard::history {
struct History;
}

namespace steelyard::cli {

class Values;

/// Every subcommand of this build.
[[nodiscard]] const CommandList& commands();

/// Subcommands that start MPI; none in a build without MPI (measuring_commands.cpp or without_mpi.cpp).
[[nodiscard]] std::span<const Command* const> measuring_commands();

/// Explains the exception being handled and returns its exit code. `others_wait`: other processes that are started with this
/// one may be in MPI_Init, so that it ends with them (fail_with_others); only where MPI is not started yet.
[[nodiscard]] int explain_failure(const std::string& help_of, bool others_wait);

// One object per subcommand, in its own file. Those of suites are in their folders.
extern const Command list_command, export_command, doctor_command, docs_command, import_command,
    accept_command, history_command, screen_command, balance_command, compare_command, report_command,
    systems_command, selftest_command, probe_command, blas_child_command;

struct ProgramEnd {
  int code = 0;
  bool measured = false;  // the words asked for a measurement
};

/// The whole program: from the words to the exit code.
[[nodiscard]] ProgramEnd run_program(std::vector<std::string> argv);

// Parts of commands that a report has too.

/// The sheet, with published systems if a limit asks for them and the references that the option of this name gives as
/// NAME=RESULT. Throws UsageError for criteria that cannot be judged, record::ReadError.
[[nodiscard]] acceptance::Sheet judged_sheet(const acceptance::Criteria& criteria,
                                             std::span<const acceptance::Launch> launches,
                                             const Values& values, const std::string& option);

/// History in a report, of the runs below some folders that are joined by commas.
[[nodiscard]] history::History history_for_report(const std::string& places, const Values& values);

}  // namespace steelyard::cli
