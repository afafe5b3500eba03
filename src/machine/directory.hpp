// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

// Which part of a file lies in this node's memory. A read of it says nothing about a disk.

struct Residence {
  std::int64_t resident_byte = 0;
  std::int64_t size_byte = 0;
  /// 0 .. 1; 0 for an empty file.
  [[nodiscard]] double share() const;
};

/// Pages of the file in the page cache of this node, as mincore(2) tells; nothing where the system does not
/// tell. Costs about a microsecond a MiB. No symbolic link is followed.
[[nodiscard]] std::optional<Residence> residence(const std::filesystem::path& file);

/// Writes back what is dirty (fsync) and asks the kernel to forget the file's pages on this node. Only
/// advice: see residence() for what came of it; a file system in memory keeps everything. Throws
/// filesystem_error.
void drop_pages(const std::filesystem::path& file);

}  // namespace steelyard::machine
