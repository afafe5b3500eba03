// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
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

/// What the file system of a directory is; of its nearest existing parent if it does not exist yet.
struct DirectoryFacts {
  std::filesystem::path path;
  std::string type;  // as in mountinfo: ext4, nfs4, lustre, ...; empty = unknown
  std::string source, mount_point, options;
  std::optional<std::int64_t> size_byte, free_byte, block_byte, files, free_files;
  bool writable = false;
};
[[nodiscard]] DirectoryFacts directory_facts(Source& source, const std::filesystem::path& directory);

enum class Medium { local, network, memory, unknown };
[[nodiscard]] Medium medium(std::string_view file_system_type);

/// Stripe size and count of a directory on Lustre, from its layout attribute.
struct Stripes {
  std::int64_t size_byte = 0;
  std::int64_t count = 0;
};
[[nodiscard]] std::optional<Stripes> lustre_stripes(const std::filesystem::path& directory);
/// The same from the attribute's bytes (lov_user_md versions 1 and 3); nothing for other layouts.
[[nodiscard]] std::optional<Stripes> parse_lustre_layout(std::string_view bytes);

}  // namespace steelyard::machine
