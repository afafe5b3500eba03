// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/live/verdict.hpp"
#include "formats/writer.hpp"
#include "record/records.hpp"

namespace steelyard::formats {

struct TableStyle {
  bool colour = false;
  bool utf8 = false;
  bool brief = false;                   // a row per benchmark instead of one per point
  std::size_t columns = brief_columns;  // of a line of the brief form; remarks go below where it has fewer
};

/// steelyard's own tables. Long: one per benchmark and process number, a row per point, fixed columns, four
/// significant digits. Brief: one per suite, a row per benchmark, written when the suite ends. For an
/// experiment of thousands of points, b_eff, both show failures and the summary. Sizes that were left out are
/// one line a table; a doubt stands in the row that it is about.
[[nodiscard]] std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style = {});

/// Subject of a table, common to all its rows: "imb-mpi1/Allreduce   4 processes   MPI_FLOAT, MPI_SUM". Sizes
/// and the number of a group are no part of it. Points with different subjects stand in different tables.
[[nodiscard]] std::string live_subject(const record::PointRecord& point);

/// Quantity of the numbers: "time per operation, max over ranks, each after a barrier"; empty if the point has no primary metric.
[[nodiscard]] std::string live_quantity(const record::PointRecord& point);

/// Parameters common to all rows of a table, in words; "type" and "op" first.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> live_parameters(
    const record::PointRecord& point);

/// Nominal size of the point: message_byte or chunk_byte; nullptr without one.
[[nodiscard]] const record::Value* live_size(const record::PointRecord& point);

/// Primary metric as statistics (a plain number becomes its median); nullopt if it is absent or null.
[[nodiscard]] std::optional<record::Statistics> live_primary(const record::PointRecord& point);

/// Heading of the live table.
[[nodiscard]] std::string live_heading();

/// Number and two characters of unit: "0.41 us", "811  us", "1.02 G "; "-" if there is no value. Seven
/// columns. `time`: the value is in seconds; other values get a decimal prefix.
[[nodiscard]] std::string live_value(std::optional<double> value, bool time, bool utf8);

/// Interval in the unit of the upper end, "0.41 ..   0.42 us", but where the lower one would have less than two
/// digits there: "1.62us .. 14.0 ms"; seventeen columns.
[[nodiscard]] std::string live_interval(const std::optional<std::pair<double, double>>& ends, bool time,
                                        bool utf8);

/// Mega (10^6) bytes a second with four significant digits, decimal points below one another, of small ones three decimals
/// or, where these are all 0, the first digit that is not; "-" if there is no value.
[[nodiscard]] std::string live_rate(std::optional<double> byte_s);

/// Bytes a second of the point; nullopt if it does not tell them.
[[nodiscard]] std::optional<double> live_bandwidth(const record::PointRecord& point);

/// True if values of this metric are seconds.
[[nodiscard]] bool live_is_time(std::string_view metric);

/// Main figure of a benchmark besides its time, in a few words: "overlap 63 %", "saves 12 %, pays after 52",
/// "1.05 of messages", "passive 0.98"; empty for most.
[[nodiscard]] std::string live_figure(const record::PointRecord& point);

/// The columns of a measured point, sized first.
[[nodiscard]] std::string live_numbers(const record::PointRecord& point, bool utf8);

}  // namespace steelyard::formats
