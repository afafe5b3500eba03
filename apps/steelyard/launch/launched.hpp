// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// What the launcher's variables tell before MPI is initialised.
namespace steelyard::cli {

/// Reads one environment variable; tests hand in their own.
using Variables = std::function<std::optional<std::string>(const char*)>;
[[nodiscard]] std::optional<std::string> variable(const char* name);
/// Names of all that are set.
[[nodiscard]] std::vector<std::string> variable_names();

/// Started by mpiexec, srun or their kin: OMPI_COMM_WORLD_SIZE, PMIX_RANK, PMI_RANK, PMI_FD, HYDI_CONTROL_FD,
/// or a numeric SLURM_STEP_ID of a job step.
[[nodiscard]] bool under_launcher(const Variables& read = variable);

/// Rank and size as the launcher says: 0 and nothing where it does not tell.
[[nodiscard]] int launcher_rank(const Variables& read = variable);
[[nodiscard]] std::optional<int> launcher_size(const Variables& read = variable);

/// Whether this process prints errors and help.
[[nodiscard]] bool speaks_for_all();

}  // namespace steelyard::cli
