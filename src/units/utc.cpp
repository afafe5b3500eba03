// SPDX-License-Identifier: Apache-2.0
#include "units/utc.hpp"

#include "units/amount.hpp"

namespace steelyard::units {
namespace {

constexpr std::size_t date_length = 10, time_length = 19;

/// Number at a fixed place; -1 for what is none.
int number_at(std::string_view text, std::size_t from, std::size_t count) {
  return static_cast<int>(detail::whole(text.substr(from, count)).value_or(-1));
}

}  // namespace

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
