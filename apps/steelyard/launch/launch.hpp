// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/room.hpp"
#include "options/resolve.hpp"
#include "process/launched.hpp"
#include "record/json.hpp"

/// Start of the MPI launcher by this process, its parent.
namespace steelyard::cli {

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

/// Gives the launcher a home directory where neither HOME nor the list of users has one: Open MPI 4.1 crashes without.
void give_home();

/// What lacks where the launcher of this library keeps its files; empty if nothing does. Open MPI 4.1 takes TMPDIR, TEMP,
/// TMP or /tmp, and waits for ever, or ends, where they do not fit.
[[nodiscard]] std::string scarce_room_of_launcher(Library library, const Variables& read = variable);

/// Whether the launcher of this library writes beyond its memory on a host of such a name: Open MPI 4.1 keeps what comes
/// before the first digit or dot where 49 characters have room. It was seen to crash from 57 on.
[[nodiscard]] bool is_too_long_for_launcher(std::string_view host, Library library);

/// Sets the variables that let Open MPI run as root, if that is needed and permitted (container, --allow-root), and
/// says so. Throws Refused if it is needed and not permitted.
void permit_root(const Values& values, Library library);

enum class Asked { nothing, to_stop };
struct Finish {
  int code = 0;
  Asked asked = Asked::nothing;  // whether there was a wish to end
  bool stuck = false;            // it stayed when all that it had started was gone, and was ended
  bool passed_on = false;        // the wish came while the launcher was there to hear it
  bool insisted = false;         // and it, or another signal, was sent again: the code tells nothing
  bool recorded = false;         // the processes were seen to record something
  int signal = 0;                // that ended the launcher itself; 0: none
  bool lost = false;             // they recorded no end, or what they recorded is gone
};

/// Whether a launcher has a child on this host for everything that it starts.
enum class Children { unknown, always };

/// What is looked at every second while a launcher works; what is empty is not looked at.
struct Watching {
  /// When it has been true for some seconds, the launcher is ended, because it may wait for a lost host for ever.
  std::function<bool()> hopeless = {};
  /// Whether the processes have recorded anything: a launcher that was asked to end may be ended before (FirstWish).
  /// Looked at until it is true, and after a wish to end.
  std::function<bool()> recorded = {};
  /// Whether they have recorded the end of the run: a second wish is then kept from them. Asked only at such a wish.
  std::function<bool()> ended = {};
  Children children = Children::unknown;
};

/// Starts the words in a process group of their own with an empty standard input, passes signals on (first INT or
/// TERM becomes USR1: stop in order; the second becomes TERM, the third KILL for the group), and waits for the end. What
/// comes second is dropped if the end of the run is recorded.
/// USR1 is sent once more when the launcher has processes, if it had none. A launcher that was asked to end is killed if
/// it stays for ten seconds when all its children are gone, with Children::always for a minute if none was ever seen.
/// Throws Refused if the words cannot be started.
[[nodiscard]] Finish start_and_wait(const std::vector<std::string>& words, const Watching& watching = {});

/// Same with standard output in `output`, for short helpers; standard error is ours. Returns the exit code.
[[nodiscard]] int start_and_read(const std::vector<std::string>& words, std::string& output);

/// Whether --launch asks for a launcher. Throws UsageError if a launcher has started this process already.
[[nodiscard]] bool to_be_launched(const Invocation& invocation);

/// Launches this invocation again under the launcher, once. The code is that of the processes; 1 or 4 after a
/// line that says so if they were lost. `results` is the directory that they write, if any: Hydra 4.0 loses
/// the code of processes after it has passed a signal on, and then the end record tells it.
[[nodiscard]] Finish launch(const Invocation& invocation, const FromParent& from_parent,
                            const std::filesystem::path& results = {});

}  // namespace steelyard::cli
