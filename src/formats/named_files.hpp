// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace steelyard::formats {

enum class Existing { refuse, overwrite };

/// File that belongs to a report: the part of its name behind the prefix, and its text.
struct NamedFile {
  std::string_view suffix;
  std::string_view text = {};
};

/// Checks before a long run that `prefix` can have these files. Throws record::WriteError if one exists and
/// is not to be overwritten, or cannot be opened for writing. Leaves nothing behind.
void check_files(const std::filesystem::path& prefix, std::span<const NamedFile> files, Existing existing);

/// Writes the files; the directory of `prefix` must exist. Throws record::WriteError: before anything is
/// written if one of them exists and is not to be overwritten, and if one cannot be written.
void write_files(const std::filesystem::path& prefix, std::span<const NamedFile> files, Existing existing);

}  // namespace steelyard::formats
