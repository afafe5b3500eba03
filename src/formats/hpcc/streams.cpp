// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

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

/// Seconds of one trial after the other; the first is for warming up and does not count.
std::vector<double> counted_trials(const record::PointRecord& point) {
  auto trials = numbers(point, "passes_s");
  if (!trials.empty()) trials.erase(trials.begin());
  return trials;
}

std::string head(const record::PointRecord& point) {
  using prefix::gibi;
  constexpr double byte_of_element = 8, vectors = 3, scalar = 0.42;
  const double elements = or_minus_one(number(point, "STREAM_VectorSize"));
  const std::size_t trials = numbers(point, "passes_s").size();
  return fmt::format("This system uses {:.0f} bytes per DOUBLE PRECISION word.\n{}", byte_of_element, rule) +
         fmt::format("Array size = {}, Offset = 0\n", whole(elements)) +
         fmt::format("Total memory required = {:.4f} GiB.\n", elements * byte_of_element * vectors / gibi) +
         (trials > 0 ? fmt::format("Each test is run {} times.\n", trials) : "") +
         " Of all trials but the first the shortest gives the rate.\n" +
         fmt::format("The SCALAR value used for this run is {:f}\n{}", scalar, rule) +
         fmt::format("Number of Threads requested = {}\n", whole(number(point, "STREAM_Threads")));
}

/// How long a kernel takes beside the steps of the clock, which count as a microsecond if they are finer.
std::string granularity(Points points, std::optional<double> tick_s) {
  using prefix::micro;
  double shortest_s = 0;
  for (const auto& point : points)
    for (const double trial : counted_trials(point))
      shortest_s = shortest_s > 0 ? std::min(shortest_s, trial) : trial;
  if (!tick_s || !(shortest_s > 0)) return "";
  const double tick = std::max(*tick_s / micro, 1.0);
  return (*tick_s >= micro
              ? fmt::format("Your clock granularity/precision appears to be {:.0f} microseconds.\n", tick)
              : "Your clock granularity appears to be less than one microsecond.\n") +
         fmt::format("Each test below will take on the order of {:.0f} microseconds.\n", shortest_s / micro) +
         fmt::format("   (= {:.0f} clock ticks)\n", shortest_s / micro / tick) +
         " A rate means something from 20 ticks on.\n" + std::string(rule);
}

std::string setup(const record::PointRecord& point) {
  const auto seconds = number(point, "setup_s");
  if (!seconds) return "";
  return fmt::format("VERBOSE: total setup time for rank 0 = {:f} seconds\n{}", *seconds, rule);
}

std::string row(const record::PointRecord& point) {
  auto trials = counted_trials(point);
  if (trials.empty()) trials = {-1};
  const auto [least, most] = std::ranges::minmax(trials);
  const double mean = std::accumulate(trials.begin(), trials.end(), 0.0) / static_cast<double>(trials.size());
  return fmt::format("{:<11}{:11.4f}  {:11.4f}  {:11.4f}  {:11.4f}\n", kernel(point) + ":",
                     or_minus_one(number(point, key(point))), mean, least, most);
}

const record::PointRecord* worst(Points points) {
  const record::PointRecord* found = nullptr;
  for (const auto& point : points)
    if (measured(point) && (found == nullptr || point.verified == false)) found = &point;
  return found;
}

std::string verdict(const record::PointRecord& point) {
  constexpr double bound = 1e-13;
  if (!point.check) return "";
  if (point.verified == true)
    return fmt::format("Solution Validates: avg error less than {:e} on all three arrays\n", bound);
  return fmt::format("Failed Validation on array a[], b[] or c[], AvgRelAbsErr > epsilon ({:e})\n", bound) +
         fmt::format("     AvgRelAbsErr: {:e}\n", point.check->worst.value_or(-1));
}

}  // namespace

std::string streams(Points points, std::optional<double> tick_s) {
  const auto* some = worst(points);
  if (some == nullptr) return "";
  std::string table =
      std::string(rule) + head(*some) + std::string(rule) + granularity(points, tick_s) + setup(*some);
  table += "Function      Rate (GB/s)   Avg time     Min time     Max time\n";
  for (const auto& point : points)
    if (measured(point)) table += row(point);
  table += std::string(rule) + verdict(*some) + std::string(rule);
  std::string whole_lines = failing_nodes(*some) + selected(*some);
  for (const auto& point : points)
    if (measured(point)) whole_lines += rates(point, "STREAM", kernel(point) + " GB/s", key(point));
  std::string body = in_order(*some, table, whole_lines);
  for (const auto& point : points)
    if (measured(point)) body += fmt::format("Stores of {}: {}\n", kernel(point), text(point, "stores"));
  return body;
}

}  // namespace steelyard::formats::hpcc
