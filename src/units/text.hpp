// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "units/quantity.hpp"

/// Words to values and back. The grammars are those of the user guide's section "Values". No function depends
/// on the process locale.
namespace steelyard::units {

/// Text as it may reach a terminal, which takes control characters of a name for commands: they are escaped as in
/// a string of C, "\n", "\t", "\x1b"; so are those of two bytes (U+0080 to U+009F), "\u009b". Those of `kept`, for
/// which a format has a way of its own, stay.
[[nodiscard]] std::string controls_escaped(std::string_view text, std::string_view kept = {});

/// Error: the user wrote something that is not expected. what() is the text after
/// "steelyard: error: --name: ".
class ParseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "4096", "64K", "1.5Gi", "2GB". K M G T P and Ki Mi Gi Ti Pi (optionally + B after the i) are
/// powers of 1024, kB MB GB TB PB powers of 1000. Throws ParseError unless the result is a whole
/// number of bytes below 2^63.
[[nodiscard]] Bytes parse_size(std::string_view word);

/// Comma list of sizes and ranges "A..B", "A..B*F", "A..B+S" (default step *2; the end is in the list only if
/// a step meets it; 0 stands by itself). Sorted, duplicates dropped. Throws ParseError.
[[nodiscard]] std::vector<Bytes> parse_sizes(std::string_view words);

/// "90", "250ms", "1.5m", "1h30m" (ms s m min h d, joined). Throws ParseError.
[[nodiscard]] Seconds parse_duration(std::string_view word);

/// "0.05" or "5%", between 0 and 1. Throws ParseError.
[[nodiscard]] double parse_ratio(std::string_view word);

/// A whole number low..high. Throws ParseError that names the limits.
[[nodiscard]] std::int64_t parse_count(std::string_view word, std::int64_t low, std::int64_t high);

/// A finite decimal number. Throws ParseError.
[[nodiscard]] double parse_number(std::string_view word);

/// The number that a word is from its first to its last character, in the form of std::from_chars: int, std::int64_t or
/// double. Returns nullopt for other words, and if it does not fit into the type.
template <class Number>
[[nodiscard]] std::optional<Number> read_number(std::string_view word);

/// "true false on off yes no 1 0 enable disable" in any case. Throws ParseError.
[[nodiscard]] bool parse_bool(std::string_view word);

/// Process numbers: comma list of counts and ranges, or one of the words "all" and "pow2".
struct Counts {
  enum class Kind { list, all, pow2 } kind = Kind::list;
  std::vector<int> values;  // of a list, ascending, no duplicates
};
[[nodiscard]] Counts parse_counts(std::string_view words);

/// One of the words in `valid`, any case; the canonical spelling is returned.
/// Throws ParseError "'purpel' is not one of auto, always, never; did you mean ...?".
[[nodiscard]] std::string parse_word(std::string_view word, std::span<const std::string_view> valid);

/// Text without blanks, tabs and ends of lines at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII letters in lower case, everything else as it is.
[[nodiscard]] std::string lower(std::string_view text);

/// Nearest of `valid` by Damerau-Levenshtein distance, if within max(2, length / 3), else nullopt; any case.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, std::span<const std::string> valid);
/// End of a refusal that names the nearest of `valid`: "; did you mean ...?", or nothing if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> valid);

/// 65536 -> "64 KiB", 1000 -> "1000 B". Exact: a prefix is used only if the number stays whole.
[[nodiscard]] std::string format_size(Bytes size);
/// Three digits, four from 1000 to 1023, for sizes that need not be exact: "1.21 GiB".
[[nodiscard]] std::string format_rounded_size(double bytes);
[[nodiscard]] std::string format_rounded_size(Bytes size);
/// Two sizes that a sentence holds against one another: rounded, or exact where they would look alike.
[[nodiscard]] std::pair<std::string, std::string> format_unlike_sizes(Bytes one, Bytes other);

/// Four characters and a unit: "0.41 us", "811 us", "1.02 ms", "12.3 s"; nanoseconds below 0.1 us. ASCII.
/// At most three significant digits and two decimals; longer only from 1000 s on.
[[nodiscard]] std::string format_time(Seconds time);

/// Number and unit of format_time apart, for columns in which several times share a unit.
struct TimeUnit {
  std::string_view name;
  double seconds = 1;
};
[[nodiscard]] TimeUnit time_unit(Seconds time);

/// At most three significant digits and two decimals: four characters from 0 to 999.
[[nodiscard]] std::string format_short(double value);

/// "0:42", "1:10", "2:03:07"; for elapsed and remaining time.
[[nodiscard]] std::string format_clock(Seconds time);

/// Fixed decimals, point as decimal sign, never an exponent, whatever the locale.
[[nodiscard]] std::string format_fixed(double value, int decimals);

/// The words of a range with a text between each two.
[[nodiscard]] std::string joined(const auto& words, std::string_view between = ", ") {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

/// Words in quotes, an empty one too: "'PingPong', 'Bcast'".
[[nodiscard]] std::string joined_in_quotes(std::span<const std::string> words);

/// "1 point", "2 points", "2 processes". `many`: where neither -s nor -es makes the plural.
[[nodiscard]] std::string counted(std::integral auto count, std::string_view one,
                                  std::string_view many = {}) {
  const bool takes_es = one.ends_with('s') || one.ends_with("ch");
  const std::string plural = many.empty() ? std::string(one) + (takes_es ? "es" : "s") : std::string(many);
  return std::to_string(count) + ' ' + (count == 1 ? std::string(one) : plural);
}

/// At least `digits` significant digits in plain decimal notation, all of those before the
/// point: "657.5", "1293".
[[nodiscard]] std::string format_significant(double value, int digits);

/// Share in percent: "63 %" for 0.63.
[[nodiscard]] std::string percent(double share, int decimals);
/// Share that somebody said, in percent with the digits that it has, six at most: "2.5 %" for 0.025, "5 %" for 0.05.
[[nodiscard]] std::string percent(double share);

/// A word as a shell reads it: as it is, or in single quotes where it has to be.
[[nodiscard]] std::string in_shell(std::string_view word);
/// Command line to be copied.
[[nodiscard]] std::string in_shell(std::span<const std::string> words);
/// Words of a command line as a shell takes it apart: at blanks that no quotes and no backslash keep. Nothing is
/// replaced, neither variables nor patterns. Throws ParseError for quotes that stay open and a backslash at the end.
[[nodiscard]] std::vector<std::string> words_of_shell(std::string_view line);

/// Moment that "2026-11-20T08:36:21Z" begins with, to the second; of "2026-11-20" its midnight. Returns
/// nullopt for texts that begin otherwise and for days that no calendar has.
[[nodiscard]] std::optional<std::chrono::sys_seconds> utc_moment(std::string_view utc);

/// Seconds since 1970 now.
[[nodiscard]] double unix_now_s();

}  // namespace steelyard::units
