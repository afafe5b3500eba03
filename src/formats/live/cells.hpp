// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

namespace steelyard::formats {

/// What all rows of a table have in common: "imb-mpi1/Allreduce   4 processes   MPI_FLOAT, MPI_SUM".
/// Sizes and the number of a group are no part of it. Points with different texts stand in different tables.
[[nodiscard]] std::string live_subject(const record::PointRecord& point);

/// What the numbers are: "time per operation, max over ranks"; empty if the point has no primary metric.
[[nodiscard]] std::string live_quantity(const record::PointRecord& point);

/// Parameters that all rows of a table have in common, in words; "type" and "op" first.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> live_parameters(
    const record::PointRecord& point);

/// Nominal size of the point: message_byte or chunk_byte; nullptr without one.
[[nodiscard]] const record::Value* live_size(const record::PointRecord& point);

/// The primary metric as statistics (a plain number becomes its median); nothing if it is absent or null.
[[nodiscard]] std::optional<record::Statistics> live_primary(const record::PointRecord& point);

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

/// What a benchmark is about besides its time, in a few words: "overlap 63 %", "saves 12 %, pays after 52", "1.05 of
/// messages", "passive 0.98"; empty for most.
[[nodiscard]] std::string live_figure(const record::PointRecord& point);

/// The columns of a measured point, sized first.
[[nodiscard]] std::string live_numbers(const record::PointRecord& point, bool utf8);

}  // namespace steelyard::formats
