// SPDX-License-Identifier: Apache-2.0
#include "units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "units/amount.hpp"

namespace steelyard::units {
namespace {

constexpr unsigned char lead_of_second_controls = 0xc2;

std::string escape_of(char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[code / 16], digits[code % 16]};
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f;
}

/// Whether a control character of two bytes begins there.
bool is_second_control(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) != lead_of_second_controls || at + 1 == text.size()) return false;
  const auto code = static_cast<unsigned char>(text[at + 1]);
  return code >= 0x80 && code < 0xa0;
}

constexpr std::array<TimeUnit, 4> time_units{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// The value times a power of ten, rounded to a whole number; nullopt where it is so near to the middle of two, or so
/// large, that the rounding of the product might decide.
std::optional<std::int64_t> rounded(double value, int decimals) {
  constexpr std::array<double, 4> powers{1, 1e1, 1e2, 1e3};
  constexpr double most = 1e9, middle = 0.5, doubt = 1e-6;  // the product is off by 1e-7 at most
  if (decimals < 0 || decimals >= std::ssize(powers)) return std::nullopt;
  const double product = value * powers.at(static_cast<std::size_t>(decimals));
  if (!(product >= 0 && product < most)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(product);
  const double rest = product - static_cast<double>(whole);
  if (std::abs(rest - middle) < doubt) return std::nullopt;
  return whole + (rest > middle ? 1 : 0);
}

/// Text of a value with so many decimals.
std::string with_decimals(double value, std::chars_format format, int decimals) {
  std::string text(24, '\0');  // more than most take
  while (true) {
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, format, decimals);
    const auto size = static_cast<std::size_t>(end - text.data());
    text.resize(error == std::errc() ? size : 2 * text.size());
    if (error == std::errc()) return text;
  }
}

/// Decimal exponent of the value after rounding to `digits` significant digits.
int exponent(double value, int digits) {
  const std::string text = with_decimals(value, std::chars_format::scientific, digits - 1);
  const char* const first = text.data() + text.find('e') + 1;
  int result = 0;
  std::from_chars(*first == '+' ? first + 1 : first, text.data() + text.size(), result);
  return result;
}

std::optional<double> ratio(std::string_view word) {
  const bool percent = word.ends_with('%');
  if (percent) word.remove_suffix(1);
  if (detail::decimal_length(word) != word.size()) return std::nullopt;
  // Moving the point in the text rounds once: 99.9 / 100 is above 0.999.
  return detail::finite(percent ? std::string(word) + "e-2" : std::string(word));
}

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 6> units{
    {{"d", 86400}, {"h", 3600}, {"m", 60}, {"min", 60}, {"s", 1}, {"ms", 1e-3}}};

/// Position in `units` of the unit that the text begins with; its name ends before the next digit.
std::optional<std::size_t> unit_at(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of("0123456789"));
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].name == name) return i;
  }
  return std::nullopt;
}

/// "1h30m": units fall from part to part, so that 30m1h and 1m2m are seen as slips.
std::optional<double> joined(std::string_view text) {
  double sum = 0;
  for (double longer_s = std::numeric_limits<double>::infinity(); !text.empty();) {
    const std::size_t length = detail::decimal_length(text);
    const auto value = detail::finite(text.substr(0, length));
    const auto unit = unit_at(text.substr(length));
    if (!value || !unit || units[*unit].seconds >= longer_s) return std::nullopt;
    sum += *value * units[*unit].seconds;
    longer_s = units[*unit].seconds;
    text.remove_prefix(length + units[*unit].name.size());
  }
  return sum;
}

std::optional<double> read(std::string_view word) {
  if (word.empty()) return std::nullopt;
  if (detail::decimal_length(word) == word.size()) return detail::finite(word);
  return joined(word);
}

using Unsigned = std::uint64_t;

std::optional<Unsigned> power(Unsigned base, std::size_t exponent) {
  Unsigned result = 1;
  for (std::size_t i = 0; i < exponent; ++i) {
    if (result > std::numeric_limits<Unsigned>::max() / base) return std::nullopt;
    result *= base;
  }
  return result;
}

/// Bytes of "", "k", "ki", "kib" (powers of 1024) and "kb" (powers of 1000); lower case.
std::optional<Unsigned> unit(std::string_view suffix) {
  if (suffix.empty()) return 1;
  const std::size_t prefix = std::string_view{"kmgtp"}.find(suffix.front());
  if (prefix == std::string_view::npos) return std::nullopt;
  const std::string_view rest = suffix.substr(1);
  if (rest == "b") return power(1000, prefix + 1);
  if (rest.empty() || rest == "i" || rest == "ib") return power(1024, prefix + 1);
  return std::nullopt;
}

struct Fraction {
  Unsigned numerator = 0, denominator = 1;
};

/// "1.50" -> 3/2 in lowest terms; exact, so that no size is rounded.
std::optional<Fraction> fraction(std::string_view decimal) {
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  std::string digits{decimal.substr(0, point)};
  std::string_view after = decimal.substr(std::min(point + 1, decimal.size()));
  while (after.ends_with('0')) after.remove_suffix(1);
  digits += after;
  const auto numerator = detail::whole(digits);
  const auto denominator = power(10, after.size());
  if (!numerator || !denominator) return std::nullopt;
  const Unsigned n = static_cast<Unsigned>(*numerator), common = std::gcd(n, *denominator);
  return Fraction{n / common, *denominator / common};
}

/// fraction * unit if that is a whole number below 2^63.
std::optional<std::int64_t> scale(Fraction value, Unsigned unit) {
  if (unit % value.denominator != 0) return std::nullopt;
  const Unsigned factor = unit / value.denominator;
  constexpr auto limit = static_cast<Unsigned>(std::numeric_limits<std::int64_t>::max());
  if (value.numerator > limit / factor) return std::nullopt;
  return static_cast<std::int64_t>(value.numerator * factor);
}

std::optional<std::int64_t> read_size(std::string_view word) {
  const std::size_t length = detail::decimal_length(word);
  if (length == 0) return std::nullopt;
  const auto bytes_of_unit = unit(units::lower(word.substr(length)));
  const auto value = fraction(word.substr(0, length));
  if (!bytes_of_unit || !value) return std::nullopt;
  return scale(*value, *bytes_of_unit);
}

using Row = std::vector<std::size_t>;

/// Fills the next row of the table of Damerau and Levenshtein: distances of a's first i letters to
/// each beginning of b.
void fill_row(Row& row, std::string_view a, std::string_view b, std::size_t i, const Row& above,
              const Row& two_above) {
  row[0] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
    row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
    const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
  }
}

/// Insertions, deletions, changes and swaps of neighbours that turn a into b.
std::size_t distance(std::string_view a, std::string_view b) {
  Row two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    fill_row(row, a, b, i, above, two_above);
  }
  return row.back();
}

/// Lower bound of the distance: fewer changes turn no word into one of the other length.
std::size_t least_distance(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

constexpr std::array<std::string_view, 7> size_names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

// Takes the words of a line from the left.
class ShellWords {
 public:
  explicit ShellWords(std::string_view line) : line_(line) {}

  std::vector<std::string> read() {
    std::vector<std::string> words;
    for (skip_blanks(); at_ < line_.size(); skip_blanks()) words.push_back(word());
    return words;
  }

 private:
  static constexpr std::string_view blanks = " \t\r\n";

  void skip_blanks() { at_ = std::min(line_.find_first_not_of(blanks, at_), line_.size()); }

  std::string word() {
    const std::size_t begin = at_;
    std::string text;
    while (at_ < line_.size() && blanks.find(line_[at_]) == std::string_view::npos) {
      const char c = line_[at_++];
      if (c == '\'' || c == '"')
        add_quoted(c, begin, text);
      else
        text += c == '\\' ? escaped(begin) : c;
    }
    return text;
  }

  // In single quotes all stands for itself; in double ones a backslash keeps the four characters that mean something
  // there.
  void add_quoted(char quote, std::size_t begin, std::string& text) {
    constexpr std::string_view kept = "$`\"\\";
    for (; at_ < line_.size() && line_[at_] != quote; ++at_) {
      const bool keeps = quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() &&
                         kept.find(line_[at_ + 1]) != std::string_view::npos;
      text += line_[keeps ? ++at_ : at_];
    }
    if (at_ == line_.size()) refuse("quotes are not closed", begin);
    ++at_;
  }

  char escaped(std::size_t begin) {
    if (at_ == line_.size()) refuse("a backslash at the end keeps nothing", begin);
    return line_[at_++];
  }

  [[noreturn]] void refuse(const char* why, std::size_t begin) const {
    throw ParseError(std::string(why) + ": " + std::string(line_.substr(begin)));
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

constexpr std::size_t date_length = 10, time_length = 19;

/// Number at a fixed place; -1 for what is none.
int number_at(std::string_view text, std::size_t from, std::size_t count) {
  return static_cast<int>(detail::whole(text.substr(from, count)).value_or(-1));
}

}  // namespace

std::string controls_escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_second_control(text, i))
      out.append("\\u00").append(escape_of(text[++i]).substr(2));
    else if (is_control(text[i]) && kept.find(text[i]) == std::string_view::npos)
      out += escape_of(text[i]);
    else
      out += text[i];
  }
  return out;
}

template <class Number>
std::optional<Number> read_number(std::string_view word) {
  Number value{};
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}
template std::optional<int> read_number(std::string_view);
template std::optional<std::int64_t> read_number(std::string_view);
template std::optional<double> read_number(std::string_view);

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string format_size(Bytes size) {
  std::int64_t number = size.count();
  std::size_t prefix = 0;
  while (number != 0 && number % 1024 == 0 && prefix + 1 < size_names.size()) {
    number /= 1024;
    ++prefix;
  }
  return fmt::format("{} {}", number, size_names[prefix]);
}

std::string format_rounded_size(double bytes) {
  std::size_t prefix = 0;
  for (; bytes >= 1024 && prefix + 1 < size_names.size(); ++prefix) bytes /= 1024;
  return fmt::format("{} {}", format_significant(bytes, 3), size_names[prefix]);
}

std::string format_rounded_size(Bytes size) {
  return format_rounded_size(static_cast<double>(size.count()));
}

std::pair<std::string, std::string> format_unlike_sizes(Bytes one, Bytes other) {
  std::pair texts{format_rounded_size(one), format_rounded_size(other)};
  if (texts.first == texts.second) texts = {format_size(one), format_size(other)};
  return texts;
}

// Microseconds unless the number would have no digits left there or more than three before the point.
TimeUnit time_unit(Seconds time) {
  const double seconds = std::abs(time.value());
  if (seconds == 0) return time_units[1];
  if (seconds < 0.0995e-6) return time_units[0];
  for (std::size_t i = 1; i + 1 < time_units.size(); ++i) {
    if (seconds < 999.5 * time_units[i].seconds) return time_units[i];
  }
  return time_units.back();
}

std::string format_time(Seconds time) {
  const TimeUnit unit = time_unit(time);
  return (format_short(time.value() / unit.seconds) += ' ').append(unit.name);
}

std::string format_short(double value) {
  constexpr double ten = 9.995, hundred = 99.95, doubt = 1e-9;  // as they are rounded
  const double size = std::abs(value);
  const bool is_near = std::abs(size - ten) < doubt || std::abs(size - hundred) < doubt;
  if (is_near) return format_fixed(value, std::clamp(2 - exponent(value, 3), 0, 2));
  return format_fixed(value, size < ten ? 2 : size < hundred ? 1 : 0);
}

std::string format_clock(Seconds time) {
  const auto total = std::llround(std::max(0.0, time.value()));
  const auto hours = total / 3600, minutes = total / 60 % 60, seconds = total % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, seconds);
  return fmt::format("{}:{:02}", minutes, seconds);
}

std::string format_fixed(double value, int decimals) {
  if (const auto number = rounded(value, decimals)) {
    const auto digits_behind = static_cast<std::size_t>(decimals);
    std::string text = std::to_string(*number);
    if (text.size() <= digits_behind) text.insert(0, digits_behind + 1 - text.size(), '0');
    if (decimals > 0) text.insert(text.size() - digits_behind, 1, '.');
    return text;
  }
  std::string text = with_decimals(value, std::chars_format::fixed, decimals);
  const bool only_zeros = text.find_first_not_of("-0.") == std::string::npos;
  return only_zeros && text.front() == '-' ? text.substr(1) : text;
}

std::string format_significant(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  return format_fixed(value, std::max(0, digits - 1 - exponent(value, digits)));
}

std::string percent(double share, int decimals) {
  return format_fixed(100 * share, decimals) + " %";
}

std::string percent(double share) {
  constexpr int most_digits = 6;
  std::string number = format_significant(100 * share, most_digits);
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
  }
  return number + " %";
}

double parse_ratio(std::string_view word) {
  const auto value = ratio(word);
  if (!value || *value > 1) {
    throw ParseError(fmt::format("must be between 0 and 1 (or 0% and 100%), got '{}'", word));
  }
  return *value;
}

std::int64_t parse_count(std::string_view word, std::int64_t low, std::int64_t high) {
  const bool negative = word.starts_with('-');
  const auto magnitude = detail::whole(word.substr(negative ? 1 : 0));
  const auto value = magnitude && negative ? std::optional{-*magnitude} : magnitude;
  if (!value || *value < low || *value > high) {
    throw ParseError(fmt::format("must be a whole number from {} to {}, got '{}'", low, high, word));
  }
  return *value;
}

double parse_number(std::string_view word) {
  const auto value = detail::finite(word);
  if (!value) throw ParseError(fmt::format("must be a number, got '{}'", word));
  return *value;
}

bool parse_bool(std::string_view word) {
  const std::string lower = units::lower(word);
  for (const auto yes : {"true", "on", "yes", "1", "enable"}) {
    if (lower == yes) return true;
  }
  for (const auto no : {"false", "off", "no", "0", "disable"}) {
    if (lower == no) return false;
  }
  throw ParseError(fmt::format("must be on or off, got '{}'", word));
}

Seconds parse_duration(std::string_view word) {
  const auto seconds = read(word);
  if (!seconds || !std::isfinite(*seconds)) {
    throw ParseError(fmt::format("'{}' is not a duration (examples: 90, 250ms, 1h30m)", word));
  }
  return Seconds{*seconds};
}

Bytes parse_size(std::string_view word) {
  const auto bytes = read_size(word);
  if (!bytes) {
    throw ParseError(fmt::format("'{}' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)", word));
  }
  return Bytes{*bytes};
}

std::vector<Bytes> parse_sizes(std::string_view words) {
  std::vector<Bytes> sizes;
  for (const std::int64_t v : detail::expand(words, [](auto word) { return parse_size(word).count(); })) {
    sizes.emplace_back(v);
  }
  return sizes;
}

Counts parse_counts(std::string_view words) {
  const std::string word = units::lower(words);
  if (word == "all") return {Counts::Kind::all, {}};
  if (word == "pow2") return {Counts::Kind::pow2, {}};
  Counts counts;
  for (const std::int64_t v : detail::expand(
           words, [](auto item) { return parse_count(item, 1, std::numeric_limits<int>::max()); })) {
    counts.values.push_back(static_cast<int>(v));
  }
  return counts;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> valid) {
  const std::string typed = units::lower(word);
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : valid) {
    if (least_distance(typed, candidate) >= least) continue;
    const std::size_t d = distance(typed, units::lower(candidate));
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> valid) {
  const auto near = nearest(word, valid);
  return near ? "; did you mean " + *near + '?' : "";
}

std::string parse_word(std::string_view word, std::span<const std::string_view> valid) {
  const std::string typed = units::lower(word);
  const auto same = [&](std::string_view v) { return units::lower(v) == typed; };
  const auto found = std::find_if(valid.begin(), valid.end(), same);
  if (found != valid.end()) return std::string{*found};
  const std::vector<std::string> words(valid.begin(), valid.end());
  const auto hint = nearest(word, words);
  throw ParseError(fmt::format("'{}' is not one of {}{}", word, fmt::join(words, ", "),
                               hint ? fmt::format("; did you mean '{}'?", *hint) : ""));
}

std::string joined_in_quotes(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "'" : ", '") + word + '\'';
  return text;
}

std::string in_shell(std::string_view word) {
  constexpr std::string_view harmless = "_-./:=+,@%";
  const auto plain = [harmless](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || harmless.find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string in_shell(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + in_shell(word);
  return line;
}

std::vector<std::string> words_of_shell(std::string_view line) {
  return ShellWords(line).read();
}

std::optional<std::chrono::sys_seconds> utc_moment(std::string_view utc) {
  using namespace std::chrono;
  const bool has_date = utc.size() >= date_length && utc[4] == '-' && utc[7] == '-';
  if (!has_date) return std::nullopt;
  const int in_year = number_at(utc, 0, 4), in_month = number_at(utc, 5, 2), in_day = number_at(utc, 8, 2);
  if (in_year < 0 || in_month < 0 || in_day < 0) return std::nullopt;
  const year_month_day date{year{in_year}, month{static_cast<unsigned>(in_month)},
                            day{static_cast<unsigned>(in_day)}};
  if (!date.ok()) return std::nullopt;
  if (utc.size() < time_length) return sys_days{date};
  const bool has_time = (utc[10] == 'T' || utc[10] == ' ') && utc[13] == ':' && utc[16] == ':';
  const int in_hours = number_at(utc, 11, 2), in_minutes = number_at(utc, 14, 2),
            in_seconds = number_at(utc, 17, 2);
  const auto within = [](int number, int most) { return number >= 0 && number <= most; };
  if (!has_time || !within(in_hours, 23) || !within(in_minutes, 59) || !within(in_seconds, 60))
    return std::nullopt;  // the 60th is a leap second
  return sys_days{date} + hours{in_hours} + minutes{in_minutes} + seconds{in_seconds};
}

double unix_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace steelyard::units
