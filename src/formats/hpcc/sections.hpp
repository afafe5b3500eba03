// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "formats/hpcc/print.hpp"

/// The texts between "Begin of" and "End of" in hpccoutf.txt, each from the points of one benchmark. Of this
/// room alone. Labels and number formats are those of the published suite 1.5.0.
namespace steelyard::formats::hpcc {

[[nodiscard]] std::string distributed_updates(Points points);
[[nodiscard]] std::string local_updates(Points points);
[[nodiscard]] std::string transposition(Points points);
[[nodiscard]] std::string multiplication(Points points);
/// tick_s: what MPI_Wtick has told.
[[nodiscard]] std::string streams(Points points, std::optional<double> tick_s);
[[nodiscard]] std::string distributed_transform(Points points);
[[nodiscard]] std::string local_transform(Points points);
[[nodiscard]] std::string messages(Points points, std::optional<double> tick_s);

/// Whether the benchmark runs on one process while the others wait.
[[nodiscard]] bool is_single(const record::PointRecord& point);
/// A section of a test of one process: details, then the lines of the whole. Only rank 0 tells details in the
/// published text: where another rank was the single one, they come last.
[[nodiscard]] std::string in_order(const record::PointRecord& point, const std::string& details,
                                   const std::string& whole);
/// The line of processes whose check failed. Of checks that count elements only "some" is known: 1.
[[nodiscard]] std::string failing_nodes(const record::PointRecord& point);
/// The line of the rank that ran alone; empty where all ran.
[[nodiscard]] std::string selected(const record::PointRecord& point);
/// What least_rate, mean_rate, most_rate and the classic value say in units of 10^9 per second: least, mean
/// and greatest of all processes, or the one of the process that ran. "Gflop/s"; for Single "Single DGEMM
/// Gflop/s".
[[nodiscard]] std::string rates(const record::PointRecord& point, const std::string& test,
                                const std::string& unit, std::string_view key);
/// What is to be known of memory, rules and libraries, from what the points tell.
[[nodiscard]] std::string remarks(Points points);
/// Why points of the section have no result, a line each.
[[nodiscard]] std::string not_measured(Points points);

}  // namespace steelyard::formats::hpcc
