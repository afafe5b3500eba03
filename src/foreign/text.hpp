// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "units/text.hpp"

/// Texts of other programs as lines, words and numbers. Nothing here looks at the process locale.
namespace steelyard::foreign {

/// Thrown if the text cannot be read as a whole. what() begins with "line N: " if one line is to blame.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One line that is not blank, without colour codes, line end and blanks at its end.
struct Line {
  std::string_view text;
  std::uint32_t number = 0;  // from 1
  bool ended = true;         // by a line end
};

/// Text without the additions of terminals, editors and other systems to lines.
class Text {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16, largest_file = std::size_t{1} << 28;
  /// Limit for a document of JSON, which may stand in one line.
  static constexpr std::size_t longest_document = std::size_t{1} << 24;

  /// Takes a text apart. Throws Unreadable for a text or a line that is too long.
  explicit Text(std::string_view bytes);
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  [[nodiscard]] std::span<Line> lines() { return lines_; }

 private:
  std::string clean_;
  std::vector<Line> lines_;
};

using units::lower;
using units::trimmed;
/// Parts between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
/// Parts between commas, trimmed.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view text);
/// True if a text begins with another; any number of blanks counts as one, and none is needed at its front.
[[nodiscard]] bool begins(std::string_view text, std::string_view with);
[[nodiscard]] bool holds(std::string_view text, std::string_view part);
/// Text behind the first `part` of a text, trimmed; nullopt if it has no such part.
[[nodiscard]] std::optional<std::string_view> behind(std::string_view text, std::string_view part);
/// Text between two others, trimmed; nullopt if they are not there.
[[nodiscard]] std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                                      std::string_view after);
/// Parts of "key : value" or "key = value", split at the first such sign, both trimmed; nullopt without one.
[[nodiscard]] std::optional<std::pair<std::string_view, std::string_view>> pair_at(std::string_view text,
                                                                                   char sign);

/// Factor of a number: 10 to a power, which is exact, times a factor.
struct Scale {
  int ten = 0;
  double factor = 1;
};
inline constexpr Scale one{}, milli{-3}, micro{-6}, nano{-9}, mega{6}, giga{9}, kibi{0, 1024.0},
    mebi{0, 1048576.0}, gibi{0, 1073741824.0};

/// A number and one unit of its last printed digit.
struct Number {
  double value = 0, step = 0;
};
/// Number of a whole word of the form [+-]digits[.digits][e[+-]digits]; nullopt for any other, or beyond the
/// range of a double.
[[nodiscard]] std::optional<Number> number(std::string_view word, Scale scale = one);
/// Whole number of a word of digits, below 2^53; nullopt for any other.
[[nodiscard]] std::optional<std::int64_t> whole(std::string_view word);
/// A number of processes, nodes or threads: the value if it is from 1 to 10^9, else nullopt.
[[nodiscard]] std::optional<int> as_count(const std::optional<std::int64_t>& value);
/// The same of a word of digits; nullopt for any other.
[[nodiscard]] std::optional<int> count(std::string_view word);
/// First whole number of a text, whatever is around it.
[[nodiscard]] std::optional<std::int64_t> first_whole(std::string_view text);

/// UTC of "Thu Mar  3 10:15:00 2022", "2022-03-03T10:15", "03/03/2022 10:20:00" and the like, by a clock that is
/// so many minutes before UTC where the text has no zone ("Z", "UTC", "+02:00", "+0200"); nullopt for other
/// texts, also for a date among words that are no part of one.
[[nodiscard]] std::optional<std::string> date(std::string_view text, int minutes_before_utc = 0);
/// UTC of seconds since 1970; empty before that and after the year 9999.
[[nodiscard]] std::string utc_of(std::int64_t unix_s);
/// Seconds since 1970 of "2022-03-03T10:15:00Z"; nullopt for other texts.
[[nodiscard]] std::optional<std::int64_t> seconds_of(std::string_view utc);

}  // namespace steelyard::foreign
