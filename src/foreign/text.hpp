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

/// The text cannot be read as a whole. what() begins with "line N: " where one line is to blame.
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

/// A text with what terminals, editors and other systems add to lines taken away.
class Text {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16, largest_file = std::size_t{1} << 28;
  /// A document of JSON may stand in one line.
  static constexpr std::size_t longest_document = std::size_t{1} << 24;

  /// Throws Unreadable for a text or a line that is too long.
  explicit Text(std::string_view bytes);
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  [[nodiscard]] std::span<Line> lines() { return lines_; }

 private:
  std::string clean_;
  std::vector<Line> lines_;
};

using units::trimmed;
/// The parts between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
/// Whether a text begins with another, any number of blanks being as good as one, and none needed at its front.
[[nodiscard]] bool begins(std::string_view text, std::string_view with);
[[nodiscard]] bool holds(std::string_view text, std::string_view part);
/// What stands behind the first `part` of a text, trimmed; nothing where it is not.
[[nodiscard]] std::optional<std::string_view> behind(std::string_view text, std::string_view part);
/// The text between two others, trimmed; nothing where it is not so.
[[nodiscard]] std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                                      std::string_view after);
/// "key : value" or "key = value" split at the first such sign, both trimmed; nothing without one.
[[nodiscard]] std::optional<std::pair<std::string_view, std::string_view>> pair_at(std::string_view text,
                                                                                   char sign);
[[nodiscard]] std::string lower(std::string_view text);

/// What a number is multiplied with: 10 to a power, which is exact, and a factor.
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
/// All of a word as [+-]digits[.digits][e[+-]digits]; nothing for any other, or beyond what a double holds.
[[nodiscard]] std::optional<Number> number(std::string_view word, Scale scale = one);
/// All of a word as digits, below 2^53.
[[nodiscard]] std::optional<std::int64_t> whole(std::string_view word);
/// The same in a range from 1 to what an int holds.
[[nodiscard]] std::optional<int> count(std::string_view word);
/// The first whole number of a text, whatever is around it.
[[nodiscard]] std::optional<std::int64_t> first_whole(std::string_view text);

/// "Thu Mar  3 10:15:00 2022", "2022-03-03T10:15:00", "03/03/2022 10:20:00" and the like as UTC, of a clock that is so
/// many minutes before it. Nothing for other texts.
[[nodiscard]] std::optional<std::string> date(std::string_view text, int minutes_before_utc = 0);
/// The same of seconds since 1970; empty before that and after the year 9999.
[[nodiscard]] std::string utc_of(std::int64_t unix_s);
/// Seconds since 1970 of "2022-03-03T10:15:00Z"; nothing for other texts.
[[nodiscard]] std::optional<std::int64_t> seconds_of(std::string_view utc);

}  // namespace steelyard::foreign
