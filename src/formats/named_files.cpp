// SPDX-License-Identifier: Apache-2.0
#include "formats/named_files.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "record/file.hpp"

namespace steelyard::formats {
namespace {

std::filesystem::path path_of(const std::filesystem::path& prefix, const NamedFile& file) {
  return prefix.string() + std::string(file.suffix);
}

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw record::WriteError("cannot write '" + path.string() + "': " + std::generic_category().message(errno));
}

void write(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) refuse(path);
}

/// Also of a link that leads nowhere yet: the file behind it would be made, and the link is somebody's.
bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

void refuse_existing(const std::filesystem::path& prefix, std::span<const NamedFile> files) {
  for (const NamedFile& file : files)
    if (is_there(path_of(prefix, file)))
      throw record::WriteError("'" + path_of(prefix, file).string() + "' exists; --overwrite replaces it");
}

/// Opens a file without changing it; a file that this creates is removed again.
void try_to_open(const std::filesystem::path& path) {
  const bool there = is_there(path);
  errno = 0;
  if (!std::ofstream(path, std::ios::binary | std::ios::app)) refuse(path);
  std::error_code ignored;
  if (!there) std::filesystem::remove(path, ignored);
}

}  // namespace

void check_files(const std::filesystem::path& prefix, std::span<const NamedFile> files, Existing existing) {
  if (existing == Existing::refuse) refuse_existing(prefix, files);
  for (const NamedFile& file : files) try_to_open(path_of(prefix, file));
}

void write_files(const std::filesystem::path& prefix, std::span<const NamedFile> files, Existing existing) {
  if (existing == Existing::refuse) refuse_existing(prefix, files);
  for (const NamedFile& file : files) write(path_of(prefix, file), file.text);
}

}  // namespace steelyard::formats
