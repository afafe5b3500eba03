// SPDX-License-Identifier: Apache-2.0
#include "units/scan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace steelyard::units::detail {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

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

}  // namespace steelyard::units::detail
