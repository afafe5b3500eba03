// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/environment.hpp"
#include "record/json.hpp"
#include "record/value.hpp"

namespace steelyard::machine {

using record::Json;

/// Source of all that this folder reads: files named by their place on a real machine ("/proc/stat"), looked up
/// under Roots, each read once. Files that cannot be read are remembered with the reason. Never throws for a file.
class Source {
 public:
  explicit Source(const Roots& roots) : roots_(roots) {}

  /// True on the machine itself; then system calls may stand in for files.
  [[nodiscard]] bool live() const {
    return roots_.proc == "/proc" && roots_.sys == "/sys" && roots_.files == nullptr;
  }
  /// Place under Roots; paths in neither /proc nor /sys lie beside the proc directory.
  [[nodiscard]] std::filesystem::path at(std::string_view path) const;

  /// Content without blanks at its ends; an unreadable file is noted as missing.
  std::optional<std::string> text(const std::string& path);
  std::optional<std::int64_t> number(const std::string& path);
  /// Content of a file whose absence means nothing: it is not noted.
  std::optional<std::string> peek(const std::string& path) { return content(path).text; }
  std::optional<std::int64_t> peek_number(const std::string& path);

  /// Entries of a directory in natural order (cpu2 before cpu10); empty if it is not there.
  [[nodiscard]] std::vector<std::string> names(const std::string& directory) const;
  [[nodiscard]] bool exists(const std::string& path) const;
  /// Last part of a symbolic link's target.
  [[nodiscard]] std::optional<std::string> link_name(const std::string& path) const;

  void note_missing(std::string what, std::string why) { missing_.emplace(std::move(what), std::move(why)); }
  [[nodiscard]] const std::map<std::string, std::string>& missing() const { return missing_; }

 private:
  struct Content {
    std::optional<std::string> text;
    int error = 0;
  };
  const Content& content(const std::string& path);
  [[nodiscard]] Content read(const std::string& path) const;

  Roots roots_;
  std::map<std::string, Content> read_;
  std::map<std::string, std::string> missing_;
};

/// Value as JSON, null for nullopt.
template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
/// Text as JSON, null for an empty one.
[[nodiscard]] inline Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(std::string(text));
}

/// System's text for error number `error`.
[[nodiscard]] std::string error_text(int error);

}  // namespace steelyard::machine
