// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "launch/launched.hpp"
#include "words/resolve.hpp"

/// Starting the MPI launcher and being its parent.
namespace steelyard::cli {

enum class Library { open_mpi, mpich, other };
/// By the first line of the library's version.
[[nodiscard]] Library library_kind(const std::string& version);

/// Number of processes that --launch asks for: "auto" = usable cores, at least 2.
[[nodiscard]] int processes_to_launch(const Values& values);

/// Words that start `processes` processes. Default form: the launcher found at build time, -n N, and for Open
/// MPI
/// --oversubscribe beyond `cores`.
[[nodiscard]] std::vector<std::string> launcher_words(const Values& values, int processes, int cores,
                                                      Library library);

/// Words of a child: this program's file, what the parent tells, and the user's words.
[[nodiscard]] std::vector<std::string> child_words(const Invocation& invocation,
                                                   const FromParent& from_parent);

/// Variables that let Open MPI run as root, if that is needed and permitted (container, --allow-root); says
/// so. Throws Refused where it is needed and not permitted.
void permit_root(const Values& values, Library library);

enum class Asked { nothing, to_stop };
struct Finish {
  int code = 0;
  Asked asked = Asked::nothing;  // whether a wish to end was passed on
  bool stuck = false;            // stayed when all that it had started was gone, and was ended
};

/// Whether what a launcher starts always has a child of it on this host.
enum class Children { unknown, always };

/// Starts the words in a process group of their own with an empty standard input, passes signals on (first
/// INT or TERM becomes USR1: stop in order; the second becomes TERM, the third KILL for the group), and waits
/// for the end. Asked to end, a launcher that stays for ten seconds when all its children are gone is ended too, for a
/// minute if none was ever seen. `hopeless`, if any, is asked every second: what still runs some seconds after it was so is
/// ended, because a launcher may wait for a lost host for ever. Throws Refused if they cannot be started.
[[nodiscard]] Finish start_and_wait(const std::vector<std::string>& words,
                                    const std::function<bool()>& hopeless = {},
                                    Children children = Children::unknown);

/// The same with standard output in `output` and the same of standard error passed on; for short helpers.
[[nodiscard]] int start_and_read(const std::vector<std::string>& words, std::string& output);

/// Whether --launch asks for a launcher. Throws UsageError if a launcher has started this process already.
[[nodiscard]] bool to_be_launched(const Invocation& invocation);

/// Launches this invocation again under the launcher, once. The code is that of the processes; 1 or 4 after a
/// line that says so if they were lost. `results` is the directory that they write, if any: Hydra 4.0 loses
/// the code of processes after it has passed a signal on, and then the end record tells it.
[[nodiscard]] Finish launch(const Invocation& invocation, const FromParent& from_parent,
                            const std::filesystem::path& results = {});

}  // namespace steelyard::cli
