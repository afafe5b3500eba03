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

/// Mount that holds an absolute path: the longest mount point before it, the last one mounted there.
[[nodiscard]] std::optional<Mount> mount_of(Source& source, const std::string& path);

/// Options that may be recorded: flags and plain values; no paths, names, numbers of users or addresses.
[[nodiscard]] std::string harmless_options(const Mount& mount);

/// Facts about the file system of a directory; of its nearest existing parent if it does not exist yet.
struct DirectoryFacts {
  std::filesystem::path path;
  std::string type;  // as in mountinfo: ext4, nfs4, lustre, ...; empty = unknown
  std::string source, mount_point, options;
  std::optional<std::int64_t> size_byte, free_byte, block_byte, files, free_files;
  bool writable = false;
};
[[nodiscard]] DirectoryFacts directory_facts(Source& source, const std::filesystem::path& directory);

/// Directory in which programs make memory that they share.
inline constexpr const char* shared_memory_directory = "/dev/shm";
/// Bytes that its file system can still take; nullopt if nothing can be made there. Memory for which it has no room ends
/// a process at the first touch.
[[nodiscard]] std::optional<std::int64_t> shared_memory_left();

enum class Medium { local, network, memory, unknown };
[[nodiscard]] Medium medium(std::string_view file_system_type);

/// Stripe size and count of a directory on Lustre, from its layout attribute; count -1: over all targets.
struct Stripes {
  std::int64_t size_byte = 0;
  std::int64_t count = 0;
};
/// Stripes from the attribute's bytes (lov_user_md versions 1 and 3); nullopt for other layouts.
[[nodiscard]] std::optional<Stripes> parse_lustre_layout(std::string_view bytes);

// Part of a file in this node's memory. A read of that part says nothing about a disk.

struct Residence {
  std::int64_t resident_byte = 0;
  std::int64_t size_byte = 0;
  /// 0 .. 1; 0 for an empty file.
  [[nodiscard]] double share() const {
    return size_byte == 0 ? 0 : static_cast<double>(resident_byte) / static_cast<double>(size_byte);
  }
};

/// Pages of the file in the page cache of this node, by mincore(2); nullopt if the system does not tell.
/// Costs about a microsecond a MiB. No symbolic link is followed.
[[nodiscard]] std::optional<Residence> residence(const std::filesystem::path& file);

/// Writes back dirty pages (fsync) and asks the kernel to forget the file's pages on this node. Only advice:
/// residence() shows the effect; a file system in memory keeps everything. Throws filesystem_error.
void drop_pages(const std::filesystem::path& file);

/// Folder of the user's cache for what the program keeps under that name; empty if the environment tells of none.
[[nodiscard]] std::filesystem::path cache_directory(std::string_view name);

}  // namespace steelyard::machine
