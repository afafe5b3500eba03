// SPDX-License-Identifier: Apache-2.0
#include "formats/hpcc/print.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "formats/imb/head.hpp"
#include "units/text.hpp"

namespace steelyard::formats::hpcc {

std::vector<double> numbers(const record::PointRecord& point, std::string_view name) {
  const auto* list = record::list_of(record::find(point.classic, name));
  return list == nullptr ? std::vector<double>{} : *list;
}

double or_minus_one(std::optional<double> value) {
  return value.value_or(-1);
}

std::int64_t whole(std::optional<double> value) {
  return static_cast<std::int64_t>(or_minus_one(value));
}

std::string plain_number(double value) {
  std::string word = units::format_significant(value, 6);
  if (word.find('.') == std::string::npos) return word + ".0";
  while (word.ends_with('0') && !word.ends_with(".0")) word.pop_back();
  return word;
}

std::string_view outcome(const record::PointRecord& point) {
  if (!point.verified) return "BYPASS";
  return *point.verified ? "PASSED" : "FAILED";
}

std::optional<double> deviation(const record::PointRecord& point) {
  if (!point.check) return std::nullopt;
  const bool infinite = point.verified == false && !point.check->worst;
  return infinite ? std::numeric_limits<double>::quiet_NaN() : point.check->worst;
}

std::string time_text(std::int64_t unix_s) {
  using namespace std::chrono;
  const sys_seconds time{seconds{unix_s}};
  const auto date = floor<days>(time);
  const year_month_day day{date};
  const hh_mm_ss clock{time - date};
  return asctime_form(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                                  clock.hours().count(), clock.minutes().count(), clock.seconds().count()));
}

std::string current_time(std::int64_t unix_s) {
  return fmt::format("Current time ({}) is {}\n\n", unix_s, time_text(unix_s));
}

std::string ruler(char of, std::size_t n) {
  return std::string(n, of) + '\n';
}

}  // namespace steelyard::formats::hpcc
