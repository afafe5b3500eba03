// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "formats/hpcc/text.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

int digits(const std::string& utc, std::size_t from, std::size_t count) {
  return static_cast<int>(units::parse_count(utc.substr(from, count), 0, 9999));
}

std::chrono::sys_seconds instant(const std::string& utc) {
  using namespace std::chrono;
  const year_month_day date{year{digits(utc, 0, 4)}, month{static_cast<unsigned>(digits(utc, 5, 2))},
                            day{static_cast<unsigned>(digits(utc, 8, 2))}};
  return sys_days{date} + hours{digits(utc, 11, 2)} + minutes{digits(utc, 14, 2)} +
         seconds{digits(utc, 17, 2)};
}

}  // namespace

std::int64_t unix_seconds(const std::string& utc) {
  if (utc.size() < std::string_view{"2026-11-20T08:36:21"}.size()) return 0;
  try {
    return instant(utc).time_since_epoch().count();
  } catch (const units::ParseError&) {
    return 0;
  }
}

}  // namespace steelyard::formats
