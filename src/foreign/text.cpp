// SPDX-License-Identifier: Apache-2.0
#include "foreign/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace steelyard::foreign {
namespace {

constexpr std::size_t most_lines = 4'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Length of a colour code at the beginning of a text: ESC [ ... letter; 0: there is none.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[') return 0;
  std::size_t at = 2;
  while (at < text.size() && !is_letter(text[at]) && text[at] != '\n') ++at;
  return at < text.size() && is_letter(text[at]) ? at + 1 : 0;
}

void append_clean(std::string_view raw, std::string& to) {
  for (std::size_t i = 0; i < raw.size();) {
    if (const std::size_t length = escape_length(raw.substr(i)); length > 0) {
      i += length;
      continue;
    }
    const char c = raw[i++];
    if (c != '\0' && c != '\f' && c != '\r' && c != '\x1b') to += c;
  }
}

/// Digits of a number's parts, as they stand in its word.
struct Parts {
  std::string_view mantissa;
  std::int64_t exponent = 0;
  int decimals = 0;
};

std::size_t digits_at(std::string_view word, std::size_t at) {
  std::size_t end = at;
  while (end < word.size() && is_digit(word[end])) ++end;
  return end - at;
}

/// Length of [+-]digits[.digits] at the front of a word.
std::size_t mantissa_length(std::string_view word, Parts& parts) {
  std::size_t at = !word.empty() && (word[0] == '+' || word[0] == '-') ? 1 : 0;
  const std::size_t before = digits_at(word, at);
  if (before == 0) return 0;
  at += before;
  if (at < word.size() && word[at] == '.') {
    const std::size_t after = digits_at(word, at + 1);
    parts.decimals = static_cast<int>(after);
    at += 1 + after;
  }
  return at;
}

std::optional<Parts> parts_of(std::string_view word) {
  constexpr std::size_t longest_number = 64;
  Parts parts;
  if (word.size() > longest_number) return std::nullopt;
  const std::size_t length = mantissa_length(word, parts);
  if (length == 0) return std::nullopt;
  parts.mantissa = word.substr(0, length);
  if (length == word.size()) return parts;
  if (word[length] != 'e' && word[length] != 'E') return std::nullopt;
  std::string_view exponent = word.substr(length + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto [end, error] =
      std::from_chars(exponent.data(), exponent.data() + exponent.size(), parts.exponent);
  if (error != std::errc{} || end != exponent.data() + exponent.size() || std::abs(parts.exponent) > 400)
    return std::nullopt;
  return parts;
}

std::optional<double> decimal(std::string_view mantissa, std::int64_t exponent) {
  std::string word(mantissa.starts_with('+') ? mantissa.substr(1) : mantissa);
  word += 'e' + std::to_string(exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range && exponent < 0) return 0.0;
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Moment {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

bool split_time(std::string_view word, Moment& moment) {
  if (word.size() < 8 || word[2] != ':' || word[5] != ':') return false;
  const auto h = whole(word.substr(0, 2)), m = whole(word.substr(3, 2)), s = whole(word.substr(6, 2));
  if (!h || !m || !s || *h > 23 || *m > 59 || *s > 60) return false;
  moment.hour = static_cast<int>(*h), moment.minute = static_cast<int>(*m);
  moment.second = static_cast<int>(std::min<std::int64_t>(*s, 59));
  return true;
}

int month_of(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto found = std::ranges::find(months, word.substr(0, 3));
  return found == months.end() ? 0 : static_cast<int>(found - months.begin()) + 1;
}

/// Reads "2022-03-03" and "03/03/2022". Returns false for other words.
bool split_date(std::string_view word, Moment& moment) {
  if (word.size() != 10) return false;
  const bool iso = word[4] == '-' && word[7] == '-', us = word[2] == '/' && word[5] == '/';
  if (!iso && !us) return false;
  const auto year = whole(iso ? word.substr(0, 4) : word.substr(6)),
             month = whole(iso ? word.substr(5, 2) : word.substr(0, 2)),
             day = whole(iso ? word.substr(8, 2) : word.substr(3, 2));
  if (!year || !month || !day) return false;
  moment.year = static_cast<int>(*year), moment.month = static_cast<int>(*month);
  moment.day = static_cast<int>(*day);
  return true;
}

/// Moment of a text. Words may stand in any order; other words are skipped. A zone in the text counts.
std::optional<Moment> moment_of(std::string_view text, bool& is_utc) {
  Moment moment;
  bool timed = false;
  std::string spaced(text);
  if (const auto t = spaced.find('T'); t != std::string::npos && t > 0 && is_digit(spaced[t - 1]))
    spaced[t] = ' ';
  for (std::string_view word : words_of(spaced)) {
    if (word.ends_with('Z') && word.size() >= 9) word.remove_suffix(1), is_utc = true;
    if (word == "UTC" || word == "GMT") is_utc = true;
    if (!timed && split_time(word, moment)) {
      timed = true;
    } else if (moment.year == 0 && split_date(word, moment)) {
      continue;
    } else if (moment.month == 0 && month_of(word) > 0) {
      moment.month = month_of(word);
    } else if (const auto number = whole(word)) {
      if (word.size() <= 2 && moment.day == 0) moment.day = static_cast<int>(*number);
      if (word.size() == 4 && moment.year == 0) moment.year = static_cast<int>(*number);
    }
  }
  const bool dated = moment.year >= 1970 && moment.month > 0 && moment.day > 0;
  return dated ? std::optional(moment) : std::nullopt;
}

std::string two(int value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

Text::Text(std::string_view bytes) {
  if (bytes.size() > largest_file)
    throw Unreadable("larger than " + std::to_string(largest_file >> 20) + " MiB");
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  clean_.reserve(bytes.size());
  lines_.reserve(
      std::min<std::size_t>(static_cast<std::size_t>(std::ranges::count(bytes, '\n')) + 1, most_lines));
  for (std::uint32_t line = 1; !bytes.empty(); ++line) {
    const std::size_t end = bytes.find('\n');
    const bool ended = end != std::string_view::npos;
    const std::string_view raw = bytes.substr(0, end);
    if (raw.size() > (raw.starts_with('{') ? longest_document : longest_line))
      throw Unreadable("line " + std::to_string(line) + ": longer than 64 KiB: no text of a benchmark");
    const std::size_t begin = clean_.size();
    append_clean(raw, clean_);
    while (clean_.size() > begin && is_blank(clean_.back())) clean_.pop_back();
    if (clean_.size() > begin) {
      if (lines_.size() == most_lines) throw Unreadable("line " + std::to_string(line) + ": too many lines");
      lines_.push_back({std::string_view(clean_).substr(begin), line, ended});
    }
    bytes.remove_prefix(ended ? end + 1 : bytes.size());
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && is_blank(text[at])) ++at;
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool begins(std::string_view text, std::string_view with) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (!is_blank(with[i])) {
      if (text.empty() || text[0] != with[i]) return false;
      text.remove_prefix(1);
      continue;
    }
    if (text.empty()) return i + 1 == with.size();
    if (!is_blank(text[0])) return false;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  }
  return true;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<std::string_view> behind(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string_view::npos) return std::nullopt;
  return trimmed(text.substr(at + part.size()));
}

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const auto rest = behind(text, before);
  if (!rest) return std::nullopt;
  const std::size_t end = rest->find(after);
  return end == std::string_view::npos ? std::nullopt : std::optional(trimmed(rest->substr(0, end)));
}

std::optional<std::pair<std::string_view, std::string_view>> pair_at(std::string_view text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair(trimmed(text.substr(0, at)), trimmed(text.substr(at + 1)));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::optional<Number> number(std::string_view word, Scale scale) {
  const auto parts = parts_of(word);
  if (!parts) return std::nullopt;
  const auto value = decimal(parts->mantissa, parts->exponent + scale.ten);
  const auto step = decimal("1", parts->exponent + scale.ten - parts->decimals);
  if (!value || !step) return std::nullopt;
  const Number found{*value * scale.factor, *step * scale.factor};
  return std::isfinite(found.value) ? std::optional(found) : std::nullopt;
}

std::optional<std::int64_t> whole(std::string_view word) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  std::int64_t value = 0;
  if (word.empty() || !std::ranges::all_of(word, is_digit)) return std::nullopt;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size() && value <= most ? std::optional(value)
                                                                                   : std::nullopt;
}

std::optional<int> count(std::string_view word) {
  const auto value = whole(word);
  return value && *value >= 1 && *value <= 1'000'000'000 ? std::optional(static_cast<int>(*value))
                                                         : std::nullopt;
}

std::optional<std::int64_t> first_whole(std::string_view text) {
  const auto begin = std::ranges::find_if(text, is_digit);
  const auto end = std::find_if_not(begin, text.end(), is_digit);
  return whole(std::string_view(begin, end));
}

std::optional<std::int64_t> seconds_of(std::string_view utc) {
  bool is_utc = false;
  const auto moment = moment_of(utc, is_utc);
  if (!moment) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{year{moment->year}, month{static_cast<unsigned>(moment->month)},
                            day{static_cast<unsigned>(moment->day)}};
  if (!date.ok()) return std::nullopt;
  return (sys_days{date} + hours{moment->hour} + minutes{moment->minute} + seconds{moment->second})
      .time_since_epoch()
      .count();
}

std::optional<std::string> date(std::string_view text, int minutes_before_utc) {
  bool is_utc = false;
  if (text.size() > 200 || !moment_of(text, is_utc)) return std::nullopt;
  auto time = seconds_of(text);
  if (!time) return std::nullopt;
  if (!is_utc) *time -= std::int64_t{60} * minutes_before_utc;
  const std::string utc = utc_of(*time);
  return utc.empty() ? std::nullopt : std::optional(utc);
}

std::string utc_of(std::int64_t unix_s) {
  constexpr std::int64_t year_10000_s = 253402300800;
  if (unix_s < 0 || unix_s >= year_10000_s) return {};
  using namespace std::chrono;
  const sys_seconds instant{seconds{unix_s}};
  const auto midnight = floor<days>(instant);
  const year_month_day date{midnight};
  const hh_mm_ss clock{instant - midnight};
  const auto part = [](auto value) { return two(static_cast<int>(static_cast<unsigned>(value))); };
  return std::to_string(static_cast<int>(date.year())) + '-' + part(date.month()) + '-' + part(date.day()) +
         'T' + two(static_cast<int>(clock.hours().count())) + ':' +
         two(static_cast<int>(clock.minutes().count())) + ':' +
         two(static_cast<int>(clock.seconds().count())) + 'Z';
}

}  // namespace steelyard::foreign
