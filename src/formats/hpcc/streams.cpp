// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/hpcc/sections.hpp"
#include "units/prefixes.hpp"

namespace steelyard::formats::hpcc {
namespace {

constexpr std::string_view rule = "-------------------------------------------------------------\n";

std::string kernel(const record::PointRecord& point) {
  return text(point, "kernel");
}

std::string key(const record::PointRecord& point) {
  return point.benchmark + "_" + kernel(point);
}

std::string head(const record::PointRecord& point) {
  using prefix::gibi;
  constexpr double byte_of_element = 8, vectors = 3;
  const double elements = or_minus_one(number(point, "STREAM_VectorSize"));
  return fmt::format("Array size = {}, Offset = 0\nTotal memory required = {:.4f} GiB.\n", whole(elements),
                     elements * byte_of_element * vectors / gibi) +
         fmt::format("Number of Threads = {}\n", whole(number(point, "STREAM_Threads")));
}

std::string seconds(std::optional<double> value) {
  return value ? fmt::format("{:11.4f}", *value) : fmt::format("{:>11}", "-");
}

std::string row(const record::PointRecord& point) {
  const auto* time = statistics(point, "time_s");
  const record::Statistics none;
  const auto& found = time == nullptr ? none : *time;
  return fmt::format("{:<12}{:12.4f}  {}  {}  {}   {} stores\n", kernel(point) + ":",
                     or_minus_one(number(point, key(point))), seconds(found.mean), seconds(found.min),
                     seconds(found.max), text(point, "stores"));
}

const record::PointRecord* worst(Points points) {
  const record::PointRecord* found = nullptr;
  for (const auto& point : points)
    if (measured(point) && (found == nullptr || point.verified == false)) found = &point;
  return found;
}

std::string verdict(const record::PointRecord& point) {
  if (!point.check || !point.check->worst) return "";
  return fmt::format("Average relative error {:e} on all three arrays: {}\n", *point.check->worst,
                     outcome(point));
}

}  // namespace

std::string streams(Points points) {
  const auto* some = worst(points);
  if (some == nullptr) return "";
  std::string body = std::string(rule) + head(*some) + std::string(rule);
  body += "Function      Rate (GB/s)     Avg time     Min time     Max time\n";
  for (const auto& point : points)
    if (measured(point)) body += row(point);
  body += std::string(rule) + verdict(*some) + std::string(rule) + failing_nodes(*some);
  if (is_single(*some)) body += fmt::format("Node selected {}\n", whole(number(*some, "rank")));
  for (const auto& point : points)
    if (measured(point)) body += rates(point, "STREAM", kernel(point) + " GB/s", key(point));
  return body;
}

}  // namespace steelyard::formats::hpcc
