// SPDX-License-Identifier: Apache-2.0
#include "options/schedule_options.hpp"

#include <array>

#include "options/checks.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::int64_t most_operations = std::int64_t{1} << 40;

}  // namespace

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

void check_schedule(std::string_view word) {
  static_cast<void>(parse_schedule(word));
}
void check_cache(std::string_view word) {
  static_cast<void>(parse_cache(word));
}
void check_retry(std::string_view word) {
  static_cast<void>(parse_retry(word));
}

}  // namespace steelyard::cli
