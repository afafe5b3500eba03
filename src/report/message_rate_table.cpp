// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>

#include "report/chart_tables.hpp"

namespace steelyard::report {
namespace {

constexpr std::string_view rates[] = {"message_rate_op_s", "message_rate_total_op_s"};

std::optional<double> rate_of(const record::PointRecord& point) {
  for (const auto metric : rates)
    if (const auto rate = median_of(point, metric)) return rate;
  return std::nullopt;
}

// Pairs of processes that send at the same time.
std::int64_t pairs_of(const record::PointRecord& point) {
  const auto* taking_part = record::find(point.params, "taking_part");
  const auto* told = taking_part == nullptr ? nullptr : std::get_if<std::int64_t>(taking_part);
  return (told == nullptr ? std::int64_t{point.processes} * point.groups : *told) / 2;
}

struct Place {
  std::size_t run = 0;
  std::string benchmark;
  double length_byte = 0;
  std::int64_t pairs = 0, threads = 1;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// Whether some benchmark was measured with several numbers of pairs or threads.
bool grows(const std::map<Place, double>& found) {
  std::map<std::string, std::set<std::pair<std::int64_t, std::int64_t>>> numbers;
  for (const auto& [place, rate] : found) numbers[place.benchmark].insert({place.pairs, place.threads});
  return std::ranges::any_of(numbers, [](const auto& one) { return one.second.size() > 1; });
}

}  // namespace

analysis::Section message_rate_table(const Source& source) {
  auto section = chart_section(
      "message_rates", "Messages per second over pairs and threads",
      {text_column("run", "run"), text_column("benchmark", "benchmark"),
       number_column("message_byte", "length", "byte"), number_column("pairs", "pairs"),
       number_column("threads", "threads"), number_column("message_rate_op_s", "messages", "op/s")});
  std::map<Place, double> found;
  for (const Row& row : source.rows) {
    const auto& point = *row.point;
    const auto rate = rate_of(point);
    if (!rate || !row.length_byte || row.variant != threads_words(point)) continue;
    found.try_emplace(
        {row.run, point.suite + "/" + point.benchmark, *row.length_byte, pairs_of(point), point.threads},
        *rate);
  }
  if (!grows(found)) return section;
  for (const auto& [place, rate] : found)
    section.table.rows.push_back({source.names[place.run], place.benchmark, place.length_byte,
                                  static_cast<double>(place.pairs), static_cast<double>(place.threads),
                                  rate});
  return section;
}

}  // namespace steelyard::report
