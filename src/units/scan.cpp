// SPDX-License-Identifier: Apache-2.0
#include "units/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "units/text.hpp"

namespace steelyard::units::detail {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

using Value = std::function<std::int64_t(std::string_view)>;

// A slip such as 1..4G+1 must not fill the memory before anybody can say so.
constexpr std::size_t most_values = 1'000'000;

struct Range {
  std::string_view text;
  std::int64_t first = 0, last = 0, step = 2;
  bool multiply = true;
};

[[noreturn]] void refuse(const Range& range, std::string_view why) {
  throw ParseError(fmt::format("range '{}' {}", range.text, why));
}

void read_step(Range& range, char kind, std::string_view word, const Value& value) {
  range.multiply = kind == '*';
  if (!range.multiply) {
    range.step = value(word);
    if (range.step < 1) refuse(range, "has a step of 0");
    return;
  }
  const auto factor = whole(word);
  if (!factor || *factor < 2) refuse(range, "needs a whole factor of at least 2");
  range.step = *factor;
}

Range read_range(std::string_view text, std::size_t dots, const Value& value) {
  Range range{.text = text};
  const std::string_view tail = text.substr(dots + 2);
  const std::size_t sign = tail.find_first_of("*+");
  if (dots == 0) refuse(range, "lacks its begin");
  if (tail.empty() || sign == 0) refuse(range, "lacks its end");
  range.first = value(text.substr(0, dots));
  range.last = value(tail.substr(0, sign));
  if (sign != std::string_view::npos) read_step(range, tail[sign], tail.substr(sign + 1), value);
  if (range.first > range.last) refuse(range, "runs backwards");
  if (range.first == 0) refuse(range, "begins with 0, which must stand by itself (as in 0,1..8)");
  return range;
}

void append(std::vector<std::int64_t>& values, const Range& range) {
  for (std::int64_t v = range.first;;) {
    values.push_back(v);
    if (values.size() > most_values) refuse(range, fmt::format("gives more than {} values", most_values));
    const bool at_end = range.multiply ? v > range.last / range.step : v > range.last - range.step;
    if (at_end) return;
    v = range.multiply ? v * range.step : v + range.step;
  }
}

}  // namespace

std::vector<std::string_view> split_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

std::size_t decimal_length(std::string_view text) {
  const std::size_t before = digits(text);
  if (before == 0 || before == text.size() || text[before] != '.') return before;
  const std::size_t after = digits(text.substr(before + 1));
  return after == 0 ? before : before + 1 + after;
}

std::optional<std::int64_t> whole(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> finite(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::int64_t> expand(std::string_view words, const Value& value) {
  std::vector<std::int64_t> values;
  for (const std::string_view item : split_commas(words)) {
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
      values.push_back(value(item));
    } else {
      append(values, read_range(item, dots, value));
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace steelyard::units::detail
