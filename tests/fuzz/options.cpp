// SPDX-License-Identifier: Apache-2.0
#include "beff/options.hpp"

#include <cmath>

#include "imb/grammar.hpp"
#include "options/checks.hpp"
#include "targets.hpp"
#include "units/text.hpp"

namespace steelyard::fuzz {
namespace {

using units::ParseError;

constexpr double now_unix_s = 1.8e9;

void map(std::string_view input) {
  const auto [rows, columns] = cli::parse_map(input);
  require(rows >= 1 && columns >= 1, "a map without processes");
  const auto again = cli::parse_map(std::to_string(rows) + 'x' + std::to_string(columns));
  require(again == std::pair(rows, columns), "a map is printed as another");
}

void label(std::string_view input) {
  const auto [key, value] = cli::parse_label(input);
  require(!key.empty() && key + '=' + value == input, "a label of other parts");
}

void deadline(std::string_view input) {
  const double time = cli::parse_deadline(input, now_unix_s);
  require(std::isfinite(time), "no time");
  if (input.ends_with('Z')) {
    const auto seconds = static_cast<std::time_t>(time);
    std::tm date{};
    ::gmtime_r(&seconds, &date);
    char text[32];
    static_cast<void>(std::strftime(text, sizeof text, "%d", &date));
    require(input.substr(8, 2) == text, "a day that there is not");
  }
}

void exponents(std::string_view input) {
  const auto [low, high] = cli::parse_exponents(input);
  require(0 <= low && low <= high && high <= 40, "exponents outside of their limits");
}

void iterations(std::string_view input) {
  const auto rule = cli::parse_iterations(input, {});
  require(rule.per_sample >= 1 && rule.volume >= Bytes{1} && rule.non_aggregate >= 1, "no iteration");
}

void schedule(std::string_view input) {
  const auto words = cli::parse_schedule(input);
  using Kind = cli::ScheduleWords::Kind;
  require((words.operations > 0) == (words.kind == Kind::fixed), "operations of another schedule");
  require((words.time > Seconds{0}) == (words.kind == Kind::timed), "time of another schedule");
}

void cache(std::string_view input) {
  const auto words = cli::parse_cache(input);
  require(words.machine || (words.size > Bytes{0} && words.line_byte >= 1), "no cache");
}

void off_cache(std::string_view input) {
  const auto words = cli::parse_off_cache(input);
  require(!words.megabytes || *words.megabytes > 0, "a cache without bytes");
  require(!words.line_byte || *words.line_byte >= 1, "a line without bytes");
}

void y_range(std::string_view input) {
  const auto [low, high] = cli::parse_y_range(input);
  require(0 < low && low < high, "a range without anything in it");
}

constexpr void (*grammars[])(std::string_view) = {map,
                                                  label,
                                                  deadline,
                                                  exponents,
                                                  iterations,
                                                  schedule,
                                                  cache,
                                                  off_cache,
                                                  y_range,
                                                  cli::parses<cli::parse_lengths>,
                                                  cli::parses<cli::parse_launch>,
                                                  cli::parses<cli::parse_positive>,
                                                  cli::parses<cli::parse_retry>,
                                                  cli::parses<cli::parse_prefix>,
                                                  cli::check_longest,
                                                  cli::check_duration_above_0};

}  // namespace

void read_options(std::string_view input) {
  for (const auto grammar : grammars) accepts<ParseError>([&] { grammar(input); });
}

}  // namespace steelyard::fuzz
