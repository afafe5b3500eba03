// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "formats/hpcc/sections.hpp"
#include "units/prefixes.hpp"

namespace steelyard::formats::hpcc {
namespace {

using record::PointRecord;

bool is_power_of_two(int n) {
  return std::has_single_bit(static_cast<unsigned>(n));
}

int bits(double words) {
  return static_cast<int>(std::lround(std::log2(words)));
}

std::string found(const PointRecord& point, std::int64_t errors, double words) {
  return fmt::format("Found {} errors in {} locations ({}).\n", errors, whole(words),
                     point.verified == true ? "passed" : "failed");
}

std::string sizes(const PointRecord& point, double words) {
  const int n = bits(words), processes = point.processes;
  const bool even = is_power_of_two(processes);
  std::string lines = fmt::format("Running on {} processors{}\n", processes, even ? " (PowerofTwo)" : "");
  lines += fmt::format("Total Main table size = 2^{} = {} words\n", n, whole(words));
  if (even)
    return lines + fmt::format("PE Main table size = 2^{} = {} words/PE\n",
                               n - bits(static_cast<double>(processes)), whole(words / processes));
  return lines + fmt::format("PE Main table size = (2^{})/{}  = {} words/PE MAX\n", n, processes,
                             whole(std::ceil(words / processes)));
}

std::string updates(const PointRecord& point, double words) {
  const double bound = or_minus_one(number(point, point.benchmark + "_TimeBound"));
  std::string lines =
      fmt::format("Default number of updates (RECOMMENDED) = {}\n", whole(4 * words)) +
      fmt::format("Number of updates EXECUTED = {}", whole(number(point, point.benchmark + "_ExeUpdates")));
  if (bound > 0) lines += fmt::format(" (for a TIME BOUND of {:.2f} secs)", bound);
  return lines + '\n';
}

std::string cpu_time(std::string_view label, std::optional<double> seconds) {
  return seconds ? fmt::format("{}{:.6f} seconds\n", label, *seconds) : "";
}

std::string distributed(const PointRecord& point) {
  const auto of = [&](const char* end) { return number(point, point.benchmark + end); };
  const double words = or_minus_one(of("_N")), rate = or_minus_one(of("_GUPs"));
  return sizes(point, words) + updates(point, words) + cpu_time("CPU time used = ", number(point, "cpu_s")) +
         fmt::format("Real time used = {:.6f} seconds\n", or_minus_one(of("_time"))) +
         fmt::format("{:.9f} Billion(10^9) Updates    per second [GUP/s]\n", rate) +
         fmt::format("{:.9f} Billion(10^9) Updates/PE per second [GUP/s]\n", rate / point.processes) +
         cpu_time("Verification:  CPU time used = ", number(point, "check_cpu_s")) +
         fmt::format("Verification:  Real time used = {:.6f} seconds\n", or_minus_one(of("_CheckTime"))) +
         found(point, whole(of("_Errors")), words);
}

std::string local(const PointRecord& point) {
  const bool lcg = point.benchmark.ends_with("_LCG");
  const double words = or_minus_one(number(point, lcg ? "RandomAccess_LCG_N" : "RandomAccess_N"));
  const std::string key = point.benchmark + "_GUPs";
  std::string lines = fmt::format("Main table size   = 2^{} = {} words\n", bits(words), whole(words)) +
                      fmt::format("Number of updates = {}\n", whole(4 * words));
  lines += cpu_time("CPU time used  = ", number(point, "cpu_s"));
  // Of the slowest process: time and rate are two forms of one figure.
  if (const auto time = median(point, "time_s"); time && *time > 0)
    lines +=
        fmt::format("Real time used = {:.6f} seconds\n", *time) +
        fmt::format("{:.9f} Billion(10^9) Updates    per second [GUP/s]\n", 4 * words / *time / prefix::giga);
  if (point.check) lines += found(point, point.check->errors, words);
  const std::string whole_lines =
      failing_nodes(point) + selected(point) +
      (is_single(point) ? fmt::format("Single GUP/s {:.6f}\n", or_minus_one(number(point, key)))
                        : rates(point, "RandomAccess", "GUP/s", key));
  return in_order(point, lines, whole_lines);
}

}  // namespace

std::string distributed_updates(Points points) {
  std::string body;
  for (const auto& point : points)
    if (measured(point)) body += distributed(point);
  return body;
}

std::string local_updates(Points points) {
  std::string body;
  for (const auto& point : points)
    if (measured(point)) body += local(point);
  return body;
}

}  // namespace steelyard::formats::hpcc
