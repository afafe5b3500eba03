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
/// Texts between "Begin of" and "End of" in hpccoutf.txt, each from the points of one benchmark. Internal to
/// this folder. Labels and number formats are those of the published suite 1.5.0.
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

[[nodiscard]] std::string distributed_updates(Points points);
[[nodiscard]] std::string local_updates(Points points);
[[nodiscard]] std::string transposition(Points points);
[[nodiscard]] std::string multiplication(Points points);
/// tick_s: result of MPI_Wtick.
[[nodiscard]] std::string streams(Points points, std::optional<double> tick_s);
[[nodiscard]] std::string distributed_transform(Points points);
[[nodiscard]] std::string local_transform(Points points);
[[nodiscard]] std::string messages(Points points, std::optional<double> tick_s);

/// True if the benchmark runs on one process while the others wait.
[[nodiscard]] bool is_single(const record::PointRecord& point);
/// Section of a test of one process: details, then the lines of the whole. In the published text only rank 0
/// prints details: if another rank was the single one, they come last.
[[nodiscard]] std::string in_order(const record::PointRecord& point, const std::string& details,
                                   const std::string& whole);
/// Line of processes whose check failed. For checks that count elements only "some" is known: 1.
[[nodiscard]] std::string failing_nodes(const record::PointRecord& point);
/// Line of the rank that ran alone; empty if all ran.
[[nodiscard]] std::string selected(const record::PointRecord& point);
/// Lines of least_rate, mean_rate, most_rate and the classic value in units of 10^9 per second: least, mean and
/// greatest of all processes, or the one of the process that ran. "Gflop/s"; for Single "Single DGEMM Gflop/s".
[[nodiscard]] std::string rates(const record::PointRecord& point, const std::string& test,
                                const std::string& unit, std::string_view key);
/// Remarks on memory, rules and libraries, from the points.
[[nodiscard]] std::string remarks(Points points);
/// Reasons why points of the section have no result, a line each.
[[nodiscard]] std::string not_measured(Points points);

}  // namespace steelyard::formats::hpcc
