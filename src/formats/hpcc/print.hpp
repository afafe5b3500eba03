// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

/// Words and numbers as hpccoutf.txt prints them. Of this room alone.
namespace steelyard::formats::hpcc {

using Points = std::span<const record::PointRecord>;

[[nodiscard]] bool measured(const record::PointRecord& point);

/// A member of classic or params as a number, as a text.
[[nodiscard]] std::optional<double> number(const record::PointRecord& point, std::string_view name);
[[nodiscard]] std::string text(const record::PointRecord& point, std::string_view name);
/// The number, -1 where the point has none: the format's word for it.
[[nodiscard]] double or_minus_one(std::optional<double> value);
[[nodiscard]] std::int64_t whole(std::optional<double> value);

/// A list of numbers of classic; empty where the point has none.
[[nodiscard]] std::vector<double> numbers(const record::PointRecord& point, std::string_view name);

/// Statistics of the metric of that name, or nullptr.
[[nodiscard]] const record::Statistics* statistics(const record::PointRecord& point, std::string_view metric);
[[nodiscard]] std::optional<double> median(const record::PointRecord& point, std::string_view metric);

/// Six significant digits, more where there are more before the point, in plain decimal notation: a digit on
/// both sides of the point, no zeros at the end beyond that.
[[nodiscard]] std::string plain_number(double value);

/// "PASSED" or "FAILED"; "BYPASS" for a point that was not checked.
[[nodiscard]] std::string_view outcome(const record::PointRecord& point);

/// "Fri Nov 20 08:36:21 2026", in UTC.
[[nodiscard]] std::string time_text(std::int64_t unix_s);
/// "Current time (SECONDS) is TEXT" and an empty line.
[[nodiscard]] std::string current_time(std::int64_t unix_s);

/// n characters and a line end.
[[nodiscard]] std::string ruler(char of, std::size_t n);

}  // namespace steelyard::formats::hpcc
