// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "options/command_list.hpp"

namespace steelyard::cli {

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

}  // namespace steelyard::cli
