// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "units/text.hpp"

namespace steelyard::units {
namespace {

constexpr std::array<TimeUnit, 4> time_units{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// Decimal exponent of the value after rounding to `digits` significant digits.
int exponent(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const char* const first = text.data() + text.find('e') + 1;
  int result = 0;
  std::from_chars(*first == '+' ? first + 1 : first, text.data() + text.size(), result);
  return result;
}

}  // namespace

std::string format_size(Bytes size) {
  constexpr std::array<std::string_view, 7> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::int64_t number = size.count();
  std::size_t prefix = 0;
  while (number != 0 && number % 1024 == 0 && prefix + 1 < names.size()) {
    number /= 1024;
    ++prefix;
  }
  return fmt::format("{} {}", number, names[prefix]);
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

std::string format_time_number(Seconds time, TimeUnit unit) {
  return format_short(time.value() / unit.seconds);
}

std::string format_time(Seconds time) {
  const TimeUnit unit = time_unit(time);
  return fmt::format("{} {}", format_time_number(time, unit), unit.name);
}

std::string format_short(double value) {
  const int decimals = value == 0 ? 2 : std::clamp(2 - exponent(value, 3), 0, 2);
  return format_fixed(value, decimals);
}

std::string format_clock(Seconds time) {
  const auto total = std::llround(std::max(0.0, time.value()));
  const auto hours = total / 3600, minutes = total / 60 % 60, seconds = total % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, seconds);
  return fmt::format("{}:{:02}", minutes, seconds);
}

std::string format_fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool only_zeros = text.find_first_not_of("-0.") == std::string::npos;
  return only_zeros && text.front() == '-' ? text.substr(1) : text;
}

std::string format_significant(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  return format_fixed(value, std::max(0, digits - 1 - exponent(value, digits)));
}

}  // namespace steelyard::units
