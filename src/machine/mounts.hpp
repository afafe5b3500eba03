// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/source.hpp"

namespace steelyard::machine {

/// One line of /proc/self/mountinfo (proc(5)), its octal escapes undone.
struct Mount {
  std::string root, point, options, type, source, super_options;
};
[[nodiscard]] std::vector<Mount> mounts(Source& source);

/// The mount that holds an absolute path: the longest mount point before it, the last one mounted there.
[[nodiscard]] std::optional<Mount> mount_of(Source& source, const std::string& path);

/// Options as they may be written: flags and plain values; no paths, names, numbers of users or addresses.
[[nodiscard]] std::string harmless_options(const Mount& mount);

}  // namespace steelyard::machine
