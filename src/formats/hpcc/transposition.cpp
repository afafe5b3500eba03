// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/hpcc/sections.hpp"
#include "units/prefixes.hpp"

namespace steelyard::formats::hpcc {
namespace {

using record::PointRecord;

/// The different values of a parameter in the order of the points.
std::string list(const char* label, Points points, std::string_view name) {
  std::vector<std::int64_t> values;
  for (const auto& point : points)
    if (const auto value = number(point, name); value && std::ranges::count(values, whole(value)) == 0)
      values.push_back(whole(value));
  return fmt::format("{} {}\n", label, fmt::join(values, " "));
}

std::string lists(Points points) {
  return list("M:", points, "order") + list("N:", points, "order") + list("MB:", points, "block") +
         list("NB:", points, "block") + list("P:", points, "grid_rows") + list("Q:", points, "grid_columns");
}

std::string seconds(double time) {
  return time >= 0 && time < 1 ? fmt::format("{:8.4f}", time) : fmt::format("{:8.2f}", time);
}

/// Of every mapping where the record tells, else of the slowest alone.
std::vector<double> times(const PointRecord& point) {
  auto found = numbers(point, "passes_s");
  if (found.empty()) found = {or_minus_one(number(point, "PTRANS_time"))};
  return found;
}

std::string row(std::string_view clock, const PointRecord& point, double time) {
  const double n = or_minus_one(number(point, "order"));
  const auto block = whole(number(point, "block"));
  const double residual = point.check ? point.check->worst.value_or(0) : 0;
  const double rate = time > 0 ? 8 * n * n / time / prefix::giga : 0;
  return fmt::format("{0:<4} {1:5d} {1:5d} {2:3d} {2:3d} {3:3d} {4:3d} {5} {6} {7:8.3f} {8:5.2f}\n", clock,
                     whole(n), block, whole(number(point, "grid_rows")), whole(number(point, "grid_columns")),
                     seconds(time), outcome(point), rate, residual);
}

/// Two for each placement: by the clock, and by the processors' time.
std::string rows(const PointRecord& point) {
  const auto wall = times(point), cpu = numbers(point, "cpu_s");
  std::string lines;
  for (std::size_t i = 0; i < wall.size(); ++i) {
    lines += row("WALL", point, wall[i]);
    if (i < cpu.size()) lines += row("CPU", point, cpu[i]);
  }
  return lines;
}

std::string tail(Points points) {
  std::int64_t passed = 0, failed = 0, skipped = 0;
  for (const auto& point : points) {
    const auto tests = static_cast<std::int64_t>(measured(point) ? times(point).size() : 1);
    (!measured(point) ? skipped : point.verified == false ? failed : passed) += tests;
  }
  return fmt::format("\nFinished {:4d} tests, with the following results:\n", passed + failed + skipped) +
         fmt::format("{:5d} tests completed and passed residual checks.\n", passed) +
         fmt::format("{:5d} tests completed and failed residual checks.\n", failed) +
         fmt::format("{:5d} tests skipped because of illegal input values.\n\nEND OF TESTS.\n", skipped);
}

}  // namespace

std::string transposition(Points points) {
  std::string body = lists(points);
  body += "TIME   M     N    MB  NB  P   Q     TIME   CHECK   GB/s   RESID\n";
  body += "---- ----- ----- --- --- --- --- -------- ------ -------- -----\n";
  for (const auto& point : points)
    if (measured(point)) body += rows(point);
  return body + tail(points);
}

}  // namespace steelyard::formats::hpcc
