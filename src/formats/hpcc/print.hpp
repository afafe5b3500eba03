// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/point_view.hpp"

/// Words and numbers as hpccoutf.txt prints them. Internal to this folder.
namespace steelyard::formats::hpcc {

using Points = std::span<const record::PointRecord>;

/// Number, or -1, the format's word for an absent one.
[[nodiscard]] double or_minus_one(std::optional<double> value);
[[nodiscard]] std::int64_t whole(std::optional<double> value);

/// List of numbers of classic; empty if the point has none.
[[nodiscard]] std::vector<double> numbers(const record::PointRecord& point, std::string_view name);

/// Number with six significant digits, more if there are more before the decimal point, in plain decimal
/// notation: a digit on both sides of the point, no zeros at the end beyond that.
[[nodiscard]] std::string plain_number(double value);

/// "PASSED" or "FAILED"; "BYPASS" for a point that was not checked.
[[nodiscard]] std::string_view outcome(const record::PointRecord& point);
/// Largest deviation that the check of a point found; nullopt if nothing tells it. Not a number for a check that failed
/// and tells none: it was not finite, for which a record has no place.
[[nodiscard]] std::optional<double> deviation(const record::PointRecord& point);

/// Time in UTC: "Fri Nov 20 08:36:21 2026".
[[nodiscard]] std::string time_text(std::int64_t unix_s);
/// Lines "Current time (SECONDS) is TEXT" and an empty one.
[[nodiscard]] std::string current_time(std::int64_t unix_s);

/// Ruler of n characters and a line end.
[[nodiscard]] std::string ruler(char of, std::size_t n);

}  // namespace steelyard::formats::hpcc
