// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

/// Which part of a file lies in this node's memory. A read of it says nothing about a disk.
namespace steelyard::machine {

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
