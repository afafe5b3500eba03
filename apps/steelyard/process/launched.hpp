// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/environment.hpp"

namespace steelyard::cli {

/// Message of our own launching parent to its children. It travels as the first word of their command line, because
/// launchers do not carry variables to every node.
struct FromParent {
  std::string run;               // id of the run to be; empty = the child makes one
  std::string series;            // ties the launches of one --launches; empty = none
  int launch = 0, launches = 0;  // of a series: which one, of how many
  std::string out;               // result directory of a series; empty = as the user's words say
  bool append = false;           // a later launch of a series
  bool continues = false;        // goes on with the run where its last session was cut short
  int spent_s = 0;               // of the budget, by sessions before that one
  std::int64_t until_unix_s =
      0;              // a deadline that was said as a duration: one moment for all launches; 0 = none
  int job_tasks = 0;  // of Slurm's job: launchers hide them from the child; 0 = not known
  std::string host;   // of the parent
  std::vector<int> processors;  // that it may use there; empty = not known
  bool terminal = false;        // the parent's standard output is a terminal
};

/// The message as the word "--launched=...".
[[nodiscard]] std::string launched_word(const FromParent& from_parent);
/// The message of such a word; nullopt if the word is another.
[[nodiscard]] std::optional<FromParent> read_launched_word(std::string_view word);

/// Whether these processors of a process on `host` reach beyond those that the parent may use on the same host.
[[nodiscard]] bool reaches_beyond(const FromParent& parent, std::string_view host,
                                  const std::vector<int>& processors);

// Facts from the launcher's variables, before MPI is initialised.

using machine::variable;
using Variables = machine::VariableReader;
/// Names of all variables that are set.
[[nodiscard]] std::vector<std::string> variable_names();

/// Whether mpiexec, srun or their kin started it: OMPI_COMM_WORLD_SIZE, PMIX_RANK, PMI_RANK, PMI_FD, HYDI_CONTROL_FD,
/// FLUX_TASK_RANK of Flux, JSM_NAMESPACE_RANK of jsrun, or a numeric SLURM_STEP_ID of a job step.
[[nodiscard]] bool under_launcher(const Variables& read = variable);

/// Rank and size as the launcher says; 0 and nullopt if it does not tell them.
[[nodiscard]] int launcher_rank(const Variables& read = variable);
[[nodiscard]] std::optional<int> launcher_size(const Variables& read = variable);

/// Tasks of Slurm's job, as a process outside of its steps knows them; 0 if it does not.
[[nodiscard]] int tasks_of_job(const Variables& read = variable);

/// How many processes the launcher started, if MPI sees this one alone among them: a world of one process each, because
/// launcher and MPI library do not speak the same protocol. nullopt where the world is what the launcher tells, or if it
/// does not tell.
[[nodiscard]] std::optional<int> processes_apart(int world_size, const Variables& read = variable);

/// Whether this process prints errors and help.
[[nodiscard]] bool speaks_for_all();

}  // namespace steelyard::cli
