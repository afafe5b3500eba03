// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "machine/environment.hpp"
#include "record/records.hpp"

/// The batch job in which the program runs, as its variables tell it.
namespace steelyard::machine {

/// Reader of one environment variable; tests hand in their own.
using VariableReader = std::function<std::optional<std::string>(const char*)>;
[[nodiscard]] std::optional<std::string> variable(const char* name);

struct JobNodes {
  int nodes = 0;                    // 0: not known
  std::optional<int> slots, cores;  // of all nodes together
};
/// Nodes of the job: Slurm, PBS (PBS_NODEFILE), LSF or Grid Engine.
[[nodiscard]] std::optional<JobNodes> nodes_of_job(const VariableReader& read = variable);

/// The several hosts of a file that a user or an administrator, or Kubernetes' operator of MPI jobs, has told Open MPI to
/// take. Slots where every line has them: otherwise how many processes a host takes is between the file and the launcher.
[[nodiscard]] std::optional<JobNodes> nodes_of_default_hosts(const VariableReader& read = variable);

/// Member `job` (Slurm, Flux, PBS, LSF, Grid Engine, HTCondor, OAR, Cobalt), null outside a batch system. `tasks`: as the
/// process that started the launcher knows them; without, they are null where Slurm's variables are those of a step of
/// the launcher's daemons.
[[nodiscard]] record::Document describe_job(std::optional<std::int64_t> tasks = std::nullopt);
/// Seconds until the batch system ends this job; nullopt if it does not tell without a foreign program. Where it tells the
/// limit alone (Torque, OAR), since the start of the job's shell.
[[nodiscard]] std::optional<double> job_seconds_left(const Roots& roots = {});

}  // namespace steelyard::machine
