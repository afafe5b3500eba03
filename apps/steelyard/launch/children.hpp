// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

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

}  // namespace steelyard::cli
