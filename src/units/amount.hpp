// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

/// Numbers with units as people write them in contracts: "2.5 Tflop/s", "1.6 us", "95%".
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
