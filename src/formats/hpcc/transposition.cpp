// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/hpcc/sections.hpp"

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
  return time < 1 ? fmt::format("{:8.4f}", time) : fmt::format("{:8.2f}", time);
}

/// Of every mapping where the record tells, else of the slowest alone.
std::vector<double> times(const PointRecord& point) {
  const auto* found = statistics(point, "time_s");
  if (found != nullptr && found->visit_medians.size() > 1) return found->visit_medians;
  return {or_minus_one(number(point, "PTRANS_time"))};
}

std::string rows(const PointRecord& point) {
  const double n = or_minus_one(number(point, "order"));
  const auto block = whole(number(point, "block"));
  const double residual = point.check ? point.check->worst.value_or(0) : 0;
  std::string lines;
  for (const double time : times(point))
    lines +=
        fmt::format("WALL {0:5d} {0:5d} {1:3d} {1:3d} {2:3d} {3:3d} {4} {5} {6:8.3f} {7:5.2f}\n", whole(n),
                    block, whole(number(point, "grid_rows")), whole(number(point, "grid_columns")),
                    seconds(time), outcome(point), 8 * n * n / time / 1e9, residual);
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
