// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

/// Processes that another one has started on this host, as /proc tells. Tests hand in a folder of their own for it.
namespace steelyard::cli {

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

}  // namespace steelyard::cli
