// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// A launcher or helper as a child of this process: its start, signals to it, and its end.
namespace steelyard::cli {

// Processes that another one has started on this host, as /proc tells. Tests hand in a folder of their own for it.

/// Children of any thread of a process, with those that have ended and were not waited for. Where the kernel keeps no
/// list of them (CONFIG_PROC_CHILDREN), all processes are asked for their parents. nullopt if neither tells.
[[nodiscard]] std::optional<std::vector<pid_t>> children_of(pid_t parent,
                                                            const std::filesystem::path& proc = "/proc");

/// Whether a process is there and has not ended.
[[nodiscard]] bool is_alive(pid_t process, const std::filesystem::path& proc = "/proc");

/// Processes of this program below a launcher, at any depth: those that were started with the word of the parent
/// (launched_word) behind the program's name. None where nobody tells, and none of other hosts.
[[nodiscard]] std::vector<pid_t> launched_below(pid_t launcher, const std::filesystem::path& proc = "/proc");

/// What a process has done so far; nothing of one that is not there.
struct Activity {
  std::int64_t processor_ticks = 0;  // of sysconf(_SC_CLK_TCK)
  bool waits_for_disk = false;
};
[[nodiscard]] Activity activity_of(pid_t process, const std::filesystem::path& proc = "/proc");

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
/// TERM becomes USR1: stop in order; the second, or a first QUIT, becomes TERM, the third KILL for it and all that it has
/// started here), and waits for the end. What comes second is dropped if the end of the run is recorded. TSTP stops this
/// process alone. USR1 is sent once more when the launcher has processes, if it had none. A launcher that was asked to end
/// is killed if it stays for ten seconds when all its children are gone, with Children::always for a minute if none was
/// ever seen. Throws Refused if the words cannot be started.
[[nodiscard]] Finish start_and_wait(const std::vector<std::string>& words, const Watching& watching = {});

/// Same with standard output in `output`, for short helpers; standard error is ours. Returns the exit code.
[[nodiscard]] int start_and_read(const std::vector<std::string>& words, std::string& output);

}  // namespace steelyard::cli
