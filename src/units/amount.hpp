// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Helpers that the parsers of this folder share. None depends on the process locale.
/// Numbers with units as people write them in contracts: "2.5 Tflop/s", "1.6 us", "95%".
namespace steelyard::units::detail {

/// Length of the leading "12" or "12.5" of a text; 0 if it does not begin with a digit.
[[nodiscard]] std::size_t decimal_length(std::string_view text);

/// All of `text` as a whole number without sign; nullopt if it is none or too large.
[[nodiscard]] std::optional<std::int64_t> whole(std::string_view text);

/// All of `text` as a finite number; nullopt if it is none.
[[nodiscard]] std::optional<double> finite(std::string_view text);

/// Comma list of values and ranges "A..B", "A..B*F", "A..B+S" (default *2), ascending without duplicates.
/// `value` reads A, B and S and throws ParseError; 0 is accepted outside ranges only. Throws ParseError.
[[nodiscard]] std::vector<std::int64_t> expand(std::string_view words,
                                               const std::function<std::int64_t(std::string_view)>& value);

}  // namespace steelyard::units::detail

namespace steelyard::units {

/// Value in base units: s, byte, byte/s, flop/s, update/s, op/s, edge/s, W; empty: a pure number.
struct Amount {
  double value = 0;
  std::string unit;
};

/// Reads a finite number above 0 and its unit: min s ms us ns; byte, B, flop, update, op, edge with k M G T P
/// (powers of 1000) or Ki Mi Gi Ti Pi, most of them per second; W; % and 1 for pure numbers, which may also
/// stand without. `composed`: further units that count as they are written, such as "byte/flop". Throws
/// ParseError, with the nearest unit.
[[nodiscard]] Amount parse_amount(std::string_view words, std::span<const std::string_view> composed = {});

/// "2.555 Tflop/s", "1.58 us", "0.394 byte/flop": at least so many significant digits.
[[nodiscard]] std::string format_amount(double value, std::string_view unit, int digits = 4);

}  // namespace steelyard::units
