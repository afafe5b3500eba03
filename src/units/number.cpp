// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "units/scan.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

std::optional<double> ratio(std::string_view word) {
  const bool percent = word.ends_with('%');
  if (percent) word.remove_suffix(1);
  if (detail::decimal_length(word) != word.size()) return std::nullopt;
  const auto value = detail::finite(word);
  if (!value) return std::nullopt;
  return percent ? *value / 100 : *value;
}

}  // namespace

double parse_ratio(std::string_view word) {
  const auto value = ratio(word);
  if (!value || *value > 1) {
    throw ParseError(fmt::format("must be between 0 and 1 (or 0% and 100%), got '{}'", word));
  }
  return *value;
}

std::int64_t parse_count(std::string_view word, std::int64_t low, std::int64_t high) {
  const bool negative = word.starts_with('-');
  const auto magnitude = detail::whole(word.substr(negative ? 1 : 0));
  const auto value = magnitude && negative ? std::optional{-*magnitude} : magnitude;
  if (!value || *value < low || *value > high) {
    throw ParseError(fmt::format("must be a whole number from {} to {}, got '{}'", low, high, word));
  }
  return *value;
}

double parse_number(std::string_view word) {
  const auto value = detail::finite(word);
  if (!value) throw ParseError(fmt::format("must be a number, got '{}'", word));
  return *value;
}

bool parse_bool(std::string_view word) {
  const std::string lower = detail::lower(word);
  for (const auto yes : {"true", "on", "yes", "1", "enable"}) {
    if (lower == yes) return true;
  }
  for (const auto no : {"false", "off", "no", "0", "disable"}) {
    if (lower == no) return false;
  }
  throw ParseError(fmt::format("must be on or off, got '{}'", word));
}

}  // namespace steelyard::units
