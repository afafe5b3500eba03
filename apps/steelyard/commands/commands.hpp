// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "words/option_table.hpp"

namespace steelyard::cli {

/// Every subcommand of this build, in the order of the overview.
[[nodiscard]] std::span<const Command* const> commands();

/// Those that start MPI; none in a build without MPI (commands_measuring.cpp or commands_without_mpi.cpp).
[[nodiscard]] std::span<const Command* const> measuring_commands();

/// By name; nullptr if there is none.
[[nodiscard]] const Command* find_command(std::string_view name);

/// The seed front-end that a program of this base name stands for: any case, '-' and '_' equal, a suffix such
/// as
/// ".mpich" ignored. nullptr for steelyard itself.
[[nodiscard]] const Command* command_of_program(std::string_view argv0);

/// Whether a name (of a subcommand or of a seed's program) measures, in a build with MPI.
[[nodiscard]] bool is_measuring_name(std::string_view name);

// One object per subcommand, in its own file.
extern const Command list_command, export_command, doctor_command, docs_command;
extern const Command import_command;
extern const Command accept_command;
extern const Command history_command;
extern const Command screen_command;
extern const Command balance_command, compare_command, report_command, systems_command;
extern const Command imb_nbc_command;
extern const Command imb_mpi4_command;
extern const Command mpi4_command;
extern const Command imb_rma_command;
extern const Command run_command, selftest_command, imb_mpi1_command, imb_ext_command, imb_io_command,
    imb_p2p_command, imb_mt_command, b_eff_command, b_eff_io_command, ftio_command, hpcc_command, hpl_command,
    probe_command, blas_child_command;

}  // namespace steelyard::cli
