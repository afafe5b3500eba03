// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/scratch.hpp"

/// Parts common to the making and the cleaning of scratch directories.
namespace steelyard::machine::scratch {

inline constexpr std::string_view directory_prefix = "steelyard-scratch-";
inline constexpr const char* marker_name = ".steelyard-scratch";
inline constexpr std::string_view marker_head = "steelyard scratch 1";

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

/// Content of a marker file.
struct Marker {
  std::string host, boot, token;
  std::vector<std::string> claimed;
};
/// Marker of an open directory; nullopt if there is none, or it is no regular file of this user.
[[nodiscard]] std::optional<Marker> read_marker(int directory);
[[nodiscard]] std::string marker_text(const std::string& token);

void write_all(int file, std::string_view text, const std::filesystem::path& path);

/// Removes the claimed regular files of an open directory and the marker, if nothing else is left.
void remove_contents(int directory, const std::filesystem::path& path, Removal& removal);

void add_to_manifest(const std::filesystem::path& manifest, const std::filesystem::path& directory);
/// Removes the line; the file is removed with its last line.
void remove_from_manifest(const std::filesystem::path& manifest, const std::filesystem::path& directory);
[[nodiscard]] std::vector<std::filesystem::path> read_manifest(const std::filesystem::path& manifest);

}  // namespace steelyard::machine::scratch
