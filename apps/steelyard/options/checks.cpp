// SPDX-License-Identifier: Apache-2.0
#include "options/checks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::int64_t most_processes = 1 << 24;
// Moments are told as whole seconds, which end somewhere; whoever wants none says none.
constexpr double longest_deadline_s = 1000 * 365.25 * 86400;

// "2026-11-20T18:00" and the like, cut at fixed places.
class DateText {
 public:
  explicit DateText(std::string_view word) : word_(word) {
    utc_ = !word_.empty() && word_.back() == 'Z';
    if (utc_) word_.remove_suffix(1);
  }

  double unix_s() {
    std::tm date{};
    date.tm_year = field(0, 4) - 1900;
    date.tm_mon = field(5, 2) - 1;
    date.tm_mday = field(8, 2);
    date.tm_hour = field(11, 2);
    date.tm_min = field(14, 2);
    if (word_.size() == 19) date.tm_sec = field(17, 2);
    date.tm_isdst = -1;
    const bool separated =
        good_ && word_[4] == '-' && word_[7] == '-' && (word_[10] == 'T' || word_[10] == ' ');
    if (!separated || (word_.size() != 16 && word_.size() != 19)) refuse();
    const std::tm said = date;
    const auto seconds = utc_ ? timegm(&date) : std::mktime(&date);
    if (!same_day(said, date) || !within_day(said)) refuse();
    return static_cast<double>(seconds);
  }

 private:
  int field(std::size_t at, std::size_t length) {
    int value = 0;
    if (at + length > word_.size()) {
      good_ = false;
      return 0;
    }
    const auto [end, error] = std::from_chars(word_.data() + at, word_.data() + at + length, value);
    good_ = good_ && error == std::errc{} && end == word_.data() + at + length && value >= 0;
    return value;
  }
  // The library turns February 30 into March 1 or 2 and 25 o'clock into the next day.
  static bool same_day(const std::tm& said, const std::tm& found) {
    return said.tm_year == found.tm_year && said.tm_mon == found.tm_mon && said.tm_mday == found.tm_mday;
  }
  static bool within_day(const std::tm& said) {
    return said.tm_hour < 24 && said.tm_min < 60 && said.tm_sec <= 60;
  }
  [[noreturn]] void refuse() const {
    throw units::ParseError("'" + std::string(word_) + "' is not a time (examples: 2026-11-20T18:00, +45m)");
  }

  std::string_view word_;
  bool utc_ = false, good_ = true;
};

constexpr std::int64_t most_operations = std::int64_t{1} << 40;

}  // namespace

std::pair<int, int> parse_map(std::string_view word) {
  const std::size_t x = word.find_first_of("xX");
  try {
    if (x == std::string_view::npos) throw units::ParseError("");
    return {static_cast<int>(units::parse_count(word.substr(0, x), 1, most_processes)),
            static_cast<int>(units::parse_count(word.substr(x + 1), 1, most_processes))};
  } catch (const units::ParseError&) {
    throw units::ParseError("'" + std::string(word) + "' is not of the form PxQ (example: 2x4)");
  }
}

std::pair<std::string, std::string> parse_label(std::string_view word) {
  const std::size_t equal = word.find('=');
  if (equal == 0 || equal == std::string_view::npos)
    throw units::ParseError("'" + std::string(word) + "' is not of the form KEY=VALUE");
  return {std::string(word.substr(0, equal)), std::string(word.substr(equal + 1))};
}

double parse_positive(std::string_view word) {
  const double value = units::parse_number(word);
  if (value <= 0) throw units::ParseError("must be above 0, got '" + std::string(word) + "'");
  return value;
}

double parse_deadline(std::string_view word, double now_unix_s) {
  if (!word.starts_with('+')) return DateText(word).unix_s();
  const double from_now_s = units::parse_duration(word.substr(1)).value();
  if (from_now_s > longest_deadline_s)
    throw units::ParseError("'" + std::string(word) + "' is more than a thousand years from now");
  return now_unix_s + from_now_s;
}

std::optional<int> parse_launch(std::string_view word) {
  if (word == "auto") return std::nullopt;
  try {
    return static_cast<int>(units::parse_count(word, 1, most_processes));
  } catch (const units::ParseError&) {
    throw units::ParseError("must be a number of processes or auto, got '" + std::string(word) + "'");
  }
}

std::vector<std::string> comma_words(std::string_view word) {
  std::vector<std::string> out;
  while (!word.empty()) {
    const std::size_t end = std::min(word.find(','), word.size());
    std::string_view one = word.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    one = one.substr(0, one.find_last_not_of(" \t") + 1);
    if (!one.empty()) out.emplace_back(one);
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return out;
}

std::vector<std::string> comma_list(std::string_view word) {
  auto words = comma_words(word);
  if (!words.empty() && words.size() != 1 + static_cast<std::size_t>(std::ranges::count(word, ',')))
    throw units::ParseError("'" + std::string(word) + "' has a comma without a value beside it");
  return words;
}

void check_not_empty(std::string_view word) {
  if (word.empty()) throw units::ParseError("must not be empty");
}

void check_launcher(std::string_view word) {
  if (units::words_of_shell(word).empty()) throw units::ParseError("names no command");
}

std::filesystem::path parse_prefix(std::string_view word) {
  check_not_empty(word);
  if (word.ends_with('/'))
    throw units::ParseError("'" + std::string(word) + "' is a directory, not a prefix");
  return word;
}

void check_size_above_0(std::string_view word) {
  if (units::parse_size(word) <= Bytes{0})
    throw units::ParseError("must be above 0 byte, got '" + std::string(word) + "'");
}

void check_duration_above_0(std::string_view word) {
  if (units::parse_duration(word).value() <= 0)
    throw units::ParseError("must be above 0, got '" + std::string(word) + "'");
}

ScheduleWords parse_schedule(std::string_view word) {
  using Schedule = ScheduleWords::Kind;
  static constexpr std::array<std::string_view, 4> valid{"suite", "adaptive", "fixed:N", "time:DURATION"};
  if (word.starts_with("fixed:"))
    return {.kind = Schedule::fixed,
            .operations = static_cast<std::uint64_t>(units::parse_count(word.substr(6), 1, most_operations))};
  if (word.starts_with("time:")) {
    const Seconds time = units::parse_duration(word.substr(5));
    if (time <= Seconds{0}) throw units::ParseError("'" + std::string(word) + "' leaves no time");
    return {.kind = Schedule::timed, .time = time};
  }
  return {.kind = units::parse_word(word, valid) == "adaptive" ? Schedule::adaptive : Schedule::suite};
}

CacheWords parse_cache(std::string_view word) {
  if (word == "auto") return {.machine = true};
  const auto words = comma_list(word);
  if (words.empty() || words.size() > 2)
    throw units::ParseError("'" + std::string(word) + "' is not of the form SIZE[,LINE] or auto");
  CacheWords cache{.size = units::parse_size(words[0])};
  if (cache.size <= Bytes{0}) throw units::ParseError("must be above 0 byte, got '" + words[0] + "'");
  if (words.size() > 1) cache.line_byte = units::parse_count(words[1], 1, 1 << 20);
  return cache;
}

RetryWords parse_retry(std::string_view word) {
  static constexpr std::array<std::string_view, 5> valid{"none", "failed", "partial", "skipped", "all"};
  RetryWords retry;
  const auto words = comma_list(word);
  if (words.empty()) throw units::ParseError("names nothing");
  for (const std::string& one : words) {
    const std::string known = units::parse_word(one, valid);
    if (known == "none" && words.size() > 1) throw units::ParseError("'none' stands alone");
    retry.failed = retry.failed || known == "failed";
    retry.partial = retry.partial || known == "partial";
    retry.skipped = retry.skipped || known == "skipped";
    retry.all = retry.all || known == "all";
  }
  return retry;
}

}  // namespace steelyard::cli
