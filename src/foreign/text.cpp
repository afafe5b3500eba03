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
  bool timed = false;
  std::optional<int> minutes_before_utc;  // of a zone in the text
};

/// Reads "+02:00", "-0500" and "+02" as minutes before UTC, and the words for UTC; nullopt for others.
std::optional<int> zone_of(std::string_view word) {
  constexpr std::int64_t most_hours = 14;
  if (word == "Z" || word == "UTC" || word == "GMT") return 0;
  if (word.empty() || (word[0] != '+' && word[0] != '-')) return std::nullopt;
  const bool colon = word.size() == 6 && word[3] == ':';
  if (!colon && word.size() != 5 && word.size() != 3) return std::nullopt;
  const auto hours = whole(word.substr(1, 2));
  const auto minutes = word.size() == 3 ? std::optional<std::int64_t>(0) : whole(word.substr(colon ? 4 : 3));
  if (!hours || !minutes || *hours > most_hours || *minutes > 59) return std::nullopt;
  const int all = static_cast<int>(60 * *hours + *minutes);
  return word[0] == '-' ? -all : all;
}

bool set_zone(std::string_view word, Moment& moment) {
  if (moment.minutes_before_utc) return false;
  moment.minutes_before_utc = zone_of(word);
  return moment.minutes_before_utc.has_value();
}

/// Reads ":SS" or ":SS.fraction", of which records keep whole seconds, or nothing.
bool split_seconds(std::string_view word, Moment& moment) {
  if (word.empty()) return true;
  if (word.size() < 3 || word[0] != ':') return false;
  const auto seconds = whole(word.substr(1, 2));
  if (!seconds || *seconds > 60) return false;
  moment.second = static_cast<int>(std::min<std::int64_t>(*seconds, 59));
  const std::string_view fraction = word.substr(3);
  return fraction.empty() ||
         (fraction.size() > 1 && fraction[0] == '.' && digits_at(fraction, 1) == fraction.size() - 1);
}

/// Reads "10:15:00" and "10:15", with a zone behind it or none.
bool split_time(std::string_view word, Moment& moment) {
  if (moment.timed || word.size() < 5 || word[2] != ':') return false;
  const auto hours = whole(word.substr(0, 2)), minutes = whole(word.substr(3, 2));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return false;
  moment.hour = static_cast<int>(*hours), moment.minute = static_cast<int>(*minutes);
  moment.timed = true;
  const std::size_t zone = std::min(word.find_first_of("Z+-", 5), word.size());
  return split_seconds(word.substr(5, zone - 5), moment) &&
         (zone == word.size() || set_zone(word.substr(zone), moment));
}

/// Place, from 1, of the name that a word of at least three letters begins or is; 0: of none.
template <std::size_t n>
int place_in(const std::array<std::string_view, n>& names, std::string_view word) {
  const auto found =
      std::ranges::find_if(names, [&](std::string_view name) { return name.starts_with(word); });
  return word.size() < 3 || found == names.end() ? 0 : static_cast<int>(found - names.begin()) + 1;
}

int month_of(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                    "May",       "June",     "July",     "August",
                                                    "September", "October",  "November", "December"};
  return place_in(months, word);
}

bool is_weekday(std::string_view word) {
  constexpr std::array<std::string_view, 7> days{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                 "Friday", "Saturday", "Sunday"};
  return place_in(days, word) > 0;
}

/// Reads "2022-03-03" and "03/03/2022". Returns false for other words.
bool split_date(std::string_view word, Moment& moment) {
  if (word.size() != 10 || moment.year != 0 || moment.month != 0 || moment.day != 0) return false;
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

/// Reads a month, the number of a day, or a year, each of which may come once.
bool split_part(std::string_view word, Moment& moment) {
  const auto take = [](int& part, std::int64_t value) {
    if (part != 0 || value < 1) return false;
    part = static_cast<int>(value);
    return true;
  };
  if (const int month = month_of(word)) return take(moment.month, month);
  const auto number = whole(word);
  if (!number || (word.size() > 2 && word.size() != 4)) return false;
  return take(word.size() == 4 ? moment.year : moment.day, *number);
}

bool split_word(std::string_view word, Moment& moment) {
  if (word.ends_with(',')) word.remove_suffix(1);
  if (word.size() > 11 && word[10] == 'T')
    return split_date(word.substr(0, 10), moment) && split_time(word.substr(11), moment);
  return is_weekday(word) || split_date(word, moment) || split_time(word, moment) ||
         split_part(word, moment) || set_zone(word, moment);
}

/// Moment of a text, whose words may stand in any order. A word that is no part of a date makes it none: it
/// might have been a zone, or half a day.
std::optional<Moment> moment_of(std::string_view text) {
  Moment moment;
  for (const std::string_view word : words_of(text))
    if (!split_word(word, moment)) return std::nullopt;
  const bool dated = moment.year >= 1970 && moment.month > 0 && moment.day > 0;
  const bool zoned_day = moment.minutes_before_utc && !moment.timed;
  return dated && !zoned_day ? std::optional(moment) : std::nullopt;
}

/// Seconds since 1970 of a moment by a clock that is so many minutes before UTC, if it names no zone itself.
std::optional<std::int64_t> seconds_of(const Moment& moment, int minutes_before_utc) {
  using namespace std::chrono;
  const year_month_day date{year{moment.year}, month{static_cast<unsigned>(moment.month)},
                            day{static_cast<unsigned>(moment.day)}};
  if (!date.ok()) return std::nullopt;
  const auto local = sys_days{date} + hours{moment.hour} + minutes{moment.minute} + seconds{moment.second};
  return (local - minutes{moment.minutes_before_utc.value_or(minutes_before_utc)}).time_since_epoch().count();
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

std::vector<std::string_view> cells_of(std::string_view text) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    cells.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return cells;
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
  if (!std::ranges::all_of(word, is_digit)) return std::nullopt;
  const auto value = units::read_number<std::int64_t>(word);
  return value && *value <= most ? value : std::nullopt;
}

std::optional<int> as_count(const std::optional<std::int64_t>& value) {
  return value && *value >= 1 && *value <= 1'000'000'000 ? std::optional(static_cast<int>(*value))
                                                         : std::nullopt;
}

std::optional<int> count(std::string_view word) {
  return as_count(whole(word));
}

std::optional<std::int64_t> first_whole(std::string_view text) {
  const auto begin = std::ranges::find_if(text, is_digit);
  const auto end = std::find_if_not(begin, text.end(), is_digit);
  return whole(std::string_view(begin, end));
}

std::optional<std::int64_t> seconds_of(std::string_view utc) {
  const auto moment = moment_of(utc);
  return moment ? seconds_of(*moment, 0) : std::nullopt;
}

std::optional<std::string> date(std::string_view text, int minutes_before_utc) {
  constexpr std::size_t longest_date = 200;
  const auto moment = text.size() > longest_date ? std::nullopt : moment_of(text);
  const auto time = moment ? seconds_of(*moment, minutes_before_utc) : std::nullopt;
  const std::string utc = time ? utc_of(*time) : std::string();
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
