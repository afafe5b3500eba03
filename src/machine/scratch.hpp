// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::machine {

/// Path that could not be removed, and why.
struct LeftBehind {
  std::filesystem::path path;
  std::string why;
};

/// Result of the removal of a scratch directory. Removed directories end the list of their files.
struct Removal {
  std::vector<std::filesystem::path> removed;
  std::vector<LeftBehind> left;
  [[nodiscard]] bool complete() const { return left.empty(); }
};

/// A directory of our own for the files of benchmarks. Its name is unique, only this user may enter it, and a
/// marker file in it names its owner; the marker stays locked while the run goes on, so that doctor --clean can
/// tell a killed run from a living one. Below the parent no symbolic link is followed. Removal deletes regular
/// files of this user whose names begin with a claimed name (after any leading dots), the marker and the directory,
/// nothing else. One process of a job makes it; the others look at it with look_at_scratch(). Without MPI.
class Scratch {
 public:
  /// Makes a directory below `parent`, whose last component is made if it is missing (and removed again if it
  /// is empty at the end). `manifest`: a file that lists the directory as long as it exists; empty = none.
  /// Throws filesystem_error.
  explicit Scratch(const std::filesystem::path& parent, const std::filesystem::path& manifest = {});
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  ~Scratch() { static_cast<void>(remove()); }  // remove(), in silence

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }  // absolute
  [[nodiscard]] const std::string& token() const { return token_; }
  /// Claims files whose names begin with `name`. To be called before the first of them is made. Throws
  /// std::invalid_argument unless it is a plain name, filesystem_error.
  void claim(std::string_view name);
  /// Removes all claimed files, the marker and the directory. A second call does nothing. Throws nothing.
  Removal remove();

 private:
  void make(const std::filesystem::path& parent);

  std::filesystem::path path_, manifest_, made_parent_;
  std::string token_;
  int directory_ = -1;  // descriptors, both open as long as the directory is ours
  int marker_ = -1;
};

/// Checks that this process sees the same directory: its marker carries this token. Throws filesystem_error
/// that tells why not. For the other processes of a job: the directory may lie on a disk of one node alone.
void look_at_scratch(const std::filesystem::path& path, std::string_view token);

/// Checks that a file can be made and written in the directory: makes one of a unique name that begins with
/// `name` (a claimed one) and removes it. Throws filesystem_error.
void try_to_write(const std::filesystem::path& scratch, std::string_view name);
/// The same past the page cache (O_DIRECT), with a block of 4 KiB: not every file system has that.
void try_to_write_directly(const std::filesystem::path& scratch, std::string_view name);

/// Removes files that killed runs left: `directory` is a scratch directory itself, holds scratch directories,
/// or is a result directory with a manifest that lists them. Directories that are still in use, or belong to
/// another user or host, stay and are reported. Throws filesystem_error if the directory cannot be read.
[[nodiscard]] Removal clean_scratch(const std::filesystem::path& directory);

/// Removes the scratch directories that a manifest lists, which loses the lines of the removed ones; an empty
/// result if there is no such file. Throws filesystem_error if it cannot be written.
[[nodiscard]] Removal clean_listed_scratch(const std::filesystem::path& manifest);

/// Name of the file in a result directory that lists scratch directories.
inline constexpr std::string_view scratch_manifest_name = "scratch.manifest";

}  // namespace steelyard::machine

/// Parts common to the making and the cleaning of scratch directories.
namespace steelyard::machine::scratch {

/// Throws filesystem_error with errno.
[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path);

/// Descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] bool valid() const { return value_ >= 0; }
  [[nodiscard]] int release();

 private:
  int value_;
};

}  // namespace steelyard::machine::scratch
