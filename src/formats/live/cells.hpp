// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "record/records.hpp"

namespace steelyard::formats {

/// Heading of the live table.
[[nodiscard]] std::string live_heading();

/// Number and two characters of unit: "0.41 us", "811  us", "1.02 G "; "-" for nothing. Seven columns.
/// `time` says that the value is in seconds; other values get a decimal prefix.
[[nodiscard]] std::string live_value(std::optional<double> value, bool time, bool utf8);

/// "0.41 ..   0.42 us" in the unit of the upper end; seventeen columns.
[[nodiscard]] std::string live_interval(const std::optional<std::pair<double, double>>& ends, bool time,
                                        bool utf8);

/// Mega (10^6) bytes a second with four significant digits, points below one another; "-" for nothing.
[[nodiscard]] std::string live_rate(std::optional<double> byte_s);

/// Bytes a second of the point, if it tells them.
[[nodiscard]] std::optional<double> live_bandwidth(const record::PointRecord& point);

/// Whether values of this metric are seconds.
[[nodiscard]] bool live_is_time(std::string_view metric);

/// The columns of a measured point, sized first.
[[nodiscard]] std::string live_numbers(const record::PointRecord& point, bool utf8);

}  // namespace steelyard::formats
