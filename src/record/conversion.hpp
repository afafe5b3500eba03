// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "record/element.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

/// Conversion between records and text. Internal to this folder.
namespace steelyard::record::detail {

inline constexpr std::string_view format_name = "steelyard.result";
inline constexpr int format_version = 1;

/// Thrown for text that is not JSON, as a write that was cut off leaves behind.
class BrokenLine : public ReadError {
 public:
  using ReadError::ReadError;
};

// Records of JSON; nullopt for an unknown type. Memory of the record that was there serves the next one.

/// Reads the line of a point as this program writes it, without a tree. False for other lines, whose record means nothing.
[[nodiscard]] bool read_as_written(std::string_view line, std::optional<Record>& to);
/// Reads a tree. Throws ReadError that names the member.
void read_tree(const Element& json, std::optional<Record>& to);
/// Reads any line, by whichever of both reads it; `elements` serves the tree. Throws also as Elements::read.
void read_line(std::string_view line, Elements& elements, std::optional<Record>& to);

/// The line of a point as this program writes it, up to its run.
inline constexpr std::string_view beginning_of_points =
    R"({"format":"steelyard.result","format_version":1,"type":"point",)";
/// What stands first in that line.
struct BeginningOfPoint {
  std::string_view run, key;
  int session = 1;
  std::int64_t seq = 0;
  double at_s = 0;
};
/// Reads that much of a line, which need not be whole behind it; nullopt for other lines.
[[nodiscard]] std::optional<BeginningOfPoint> beginning_of_point(std::string_view line);

// Spelling of the enumerations in the file, in the order of their declaration.

inline constexpr std::array<std::string_view, 4> status_words{"ok", "partial", "skipped", "failed"};
inline constexpr std::array<std::string_view, 13> reason_words{
    "memory",       "time",     "unsupported", "processes",  "file_system", "space",     "mpi_error",
    "verification", "excluded", "interrupted", "dependency", "internal",    "unreadable"};
inline constexpr std::array<std::string_view, 3> severity_words{"info", "warning", "error"};

template <class Enum, std::size_t n>
[[nodiscard]] constexpr std::string_view spelling(const std::array<std::string_view, n>& words, Enum value) {
  return words.at(static_cast<std::size_t>(value));
}

template <class Enum, std::size_t n>
[[nodiscard]] constexpr std::optional<Enum> meaning(const std::array<std::string_view, n>& words,
                                                    std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace steelyard::record::detail
