// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launcher_process.hpp"
#include "options/resolve.hpp"
#include "process/launched.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

/// Room for processes where the launcher will start them: on this node, or on those of a batch job.
/// Start of the MPI launcher by this process, its parent.
namespace steelyard::cli {

// Consequences of the end of a launcher for the run.

/// State of a run whose launcher has ended.
struct Ending {
  int code = 0;                   // of the launcher
  std::filesystem::path results;  // directory of the records; empty = none are kept
  std::string resume;             // words that continue the run; empty = it cannot be
  bool insisted = false;          // a signal that was sent again ended it
  int signal = 0;                 // that ended the launcher itself; 0: none
  std::int64_t killed = 0;  // processes that the kernel of this machine killed meanwhile for lack of memory
};

/// Whether the program itself ends with this code. Launchers return others if a process was killed or a host was lost:
/// Open MPI 4.1 137 and 205, Hydra 4.0 9, 15 and 255.
[[nodiscard]] bool own_exit_code(int code);

/// Whether anything is in the result file of this directory.
[[nodiscard]] bool has_records(const std::filesystem::path& results);

/// The end record with which the result file of this directory ends; nullopt if it ends otherwise: the last session has
/// not recorded its end yet, or never will.
[[nodiscard]] std::optional<record::EndRecord> recorded_end(const std::filesystem::path& results);

/// Whether this directory has no result file.
[[nodiscard]] bool file_is_gone(const std::filesystem::path& results);
/// Exit code of a run whose result file is gone. Processes that noticed it have said so and failed; otherwise 1 after a
/// line that says it.
[[nodiscard]] int records_gone(const Ending& ending);

/// Exit code by the end record of a run whose launcher's code is not to be trusted, after a line on standard error where
/// they differ: the last words of its processes may be missing, of which the one that continues is said.
[[nodiscard]] int late_loss(const Ending& ending, const record::EndRecord& end);

/// Whether the last session recorded in `results` was cut short by an error of one process and has left
/// something to measure. False without records.
[[nodiscard]] bool was_cut_short(const std::filesystem::path& results);

/// Exit code 4 of a run without a first record, after a line on standard error that tells the launcher's code, or the
/// signal of a crash of the launcher itself.
[[nodiscard]] int nothing_begun(const Ending& ending);

/// Whether a launcher ends with this code where processes, or it itself, died of the signal that asks for a stop, which
/// they do not know before they measure; Hydra 4.0 loses it.
[[nodiscard]] bool died_of_the_wish(int code);

/// Exit code of a run whose processes did not end with one of their own, after lines on standard error that say so and
/// how to go on: 1 if anything was recorded or no records are kept, else 4. A line tells of files of the run that stay.
[[nodiscard]] int lost_run(const Ending& ending);

struct Room {
  /// Processes that the launcher starts without being told of more; nullopt: the launcher alone knows.
  std::optional<int> slots;
  /// Processes that each have a core; nullopt: not known.
  std::optional<int> cores;
  int nodes = 1;
  /// Groups of a heterogeneous job of Slurm; its variables tell the nodes of one of them, or of none.
  int groups = 1;
};

/// Room on this node with so many usable cores, or on all nodes of the allocation: Slurm, PBS (PBS_NODEFILE), LSF, Grid
/// Engine, or a file of several hosts that Open MPI takes by default. Of several nodes only what the batch system
/// says is known.
[[nodiscard]] Room room_for_processes(int cores, const Variables& read = variable);

/// Processes that share a node where launchers fill one node after the other.
[[nodiscard]] int processes_of_a_node(int processes, const Room& room);

enum class Library { open_mpi, mpich, other };
/// Kind of the MPI library by the first line of its version.
[[nodiscard]] Library library_kind(const std::string& version);

/// Words that start processes of this library under Slurm: "srun --mpi=pmix", "srun --mpi=pmi2" or "srun".
[[nodiscard]] std::string srun_words(Library library);

/// Whether a launcher, by the name of its file, is that of an MPI library: one of a batch system or a machine, which CMake
/// may have been given, has other words for all but -n.
[[nodiscard]] bool takes_words_of_library(std::string_view launcher);

/// Room for processes that this one starts.
[[nodiscard]] Room room_here();

/// Number of processes that --launch asks for. "auto": those for which a job on several nodes has slots, else the usable
/// cores of this node; at least 2.
[[nodiscard]] int processes_to_launch(const Values& values, const Room& room = room_here());

/// Throws Refused in a heterogeneous job of Slurm, of which only srun knows the nodes: what would start here would
/// measure this machine. Of --launcher with a number of processes it is the user who knows.
void refuse_several_groups(const Values& values, const Room& room, Library library);

/// Words that start `processes` processes. Default form: the launcher found at build time, -n N, and for Open MPI
/// --oversubscribe beyond the slots and whether to yield, as far as `room` tells.
[[nodiscard]] std::vector<std::string> launcher_words(const Values& values, int processes, const Room& room,
                                                      Library library);

/// Words of a child: this program's file, what the parent tells, and the user's words.
[[nodiscard]] std::vector<std::string> child_words(const Invocation& invocation,
                                                   const FromParent& from_parent);

/// Whether a description of a machine (machine::describe_machine) says that it is a container. Every one has a
/// member `container`, whose `kind` is null outside of one.
[[nodiscard]] bool names_container(const record::Json& machine);

/// Gives the launcher a home directory where HOME names none, that of the list of users or, where that has none either, /:
/// Open MPI 4.1 crashes without any, and 5 asks HOME alone.
void give_home();

/// What lacks where the launcher of this library keeps its files; empty if nothing does. Open MPI 4.1 takes TMPDIR, TEMP,
/// TMP or /tmp, and waits for ever, or ends, where they do not fit.
[[nodiscard]] std::string scarce_room_of_launcher(Library library, const Variables& read = variable);

/// Whether the launcher of a library that says this of itself writes beyond its memory on a host of such a name: Open MPI
/// 4.1 keeps what comes before the first digit or dot where 49 characters have room. It was seen to crash from 57 on.
[[nodiscard]] bool is_too_long_for_launcher(std::string_view host, std::string_view version);

/// Sets the variables that let Open MPI run as root, if that is needed and permitted (container, --allow-root), and
/// says so. Throws Refused if it is needed and not permitted.
void permit_root(const Values& values, Library library);

/// Whether --launch asks for a launcher. Throws UsageError if a launcher has started this process already.
[[nodiscard]] bool to_be_launched(const Invocation& invocation);

/// Launches this invocation again under the launcher, once. The code is that of the processes; 1 or 4 after a
/// line that says so if they were lost. `results` is the directory that they write, if any: Hydra 4.0 loses
/// the code of processes after it has passed a signal on, and then the end record tells it.
[[nodiscard]] Finish launch(const Invocation& invocation, const FromParent& from_parent,
                            const std::filesystem::path& results = {});

}  // namespace steelyard::cli
