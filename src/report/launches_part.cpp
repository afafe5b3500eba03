// SPDX-License-Identifier: Apache-2.0
// How much the launches of one series differ: what one launch alone cannot know.
#include <algorithm>
#include <map>

#include "report/sections.hpp"
#include "stats/order.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;

constexpr double percent = 100;

/// One point in the launches that measured it.
struct Launched {
  const Row* row = nullptr;  // of the first of them
  std::vector<double> values;
  [[nodiscard]] double median() const { return stats::median(values); }
  [[nodiscard]] double least() const { return *std::ranges::min_element(values); }
  [[nodiscard]] double most() const { return *std::ranges::max_element(values); }
  /// From the least to the most, relative to the median.
  [[nodiscard]] double spread() const { return median() != 0 ? (most() - least()) / std::abs(median()) : 0; }
};

std::vector<Launched> launched(const std::vector<Row>& rows) {
  std::vector<Launched> points;
  std::map<std::string, std::size_t> places;
  for (const Row& row : rows) {
    if (!row.median) continue;
    const auto [found, is_new] = places.try_emplace(row.point->key, points.size());
    if (is_new) points.push_back({&row, {}});
    points[found->second].values.push_back(*row.median);
  }
  std::erase_if(points, [](const Launched& point) { return point.values.size() < 2; });
  return points;
}

std::string in_percent(double share) {
  return units::format_significant(percent * share, 2) + " %";
}

std::string sentence(const std::vector<Launched>& points, std::size_t launches) {
  std::vector<double> spreads;
  for (const Launched& point : points) spreads.push_back(point.spread());
  std::ranges::sort(spreads);
  const auto largest = std::ranges::max_element(points, {}, &Launched::spread);
  return units::counted(std::ssize(points), "point was", "points were") + " measured by several of " +
         std::to_string(launches) + " launches. From the least to the most of their values are " +
         in_percent(stats::median(spreads)) + " of the median at half of the points, and " +
         in_percent(largest->spread()) + " at " + largest->row->point->suite + '/' +
         largest->row->point->benchmark + ". The other tables show the last launch alone.";
}

Section table_of(const std::vector<Launched>& points) {
  Section section{"launches", "Median, least and most of all launches", {}, {"launches", {}, {}, {}}, {}};
  section.table.columns = {
      {"benchmark", "benchmark", "", ColumnKind::text}, {"processes", "processes", "", ColumnKind::number},
      {"variant", "case", "", ColumnKind::text},        {"length_byte", "length", "B", ColumnKind::number},
      {"metric", "value", "", ColumnKind::text},        {"launches", "launches", "", ColumnKind::number},
      {"median", "median", "", ColumnKind::number},     {"least", "least", "", ColumnKind::number},
      {"most", "most", "", ColumnKind::number},         {"unit", "unit", "", ColumnKind::text},
      {"spread", "spread", "%", ColumnKind::number}};
  for (const Launched& point : points) {
    const Row& row = *point.row;
    const Scale scale = scale_of(record::unit_of(row.point->primary), point.most());
    section.table.rows.push_back(
        {row.point->suite + '/' + row.point->benchmark, row.point->processes, row.variant,
         row.length_byte ? Cell(static_cast<std::int64_t>(*row.length_byte)) : Cell(), row.point->primary,
         static_cast<std::int64_t>(point.values.size()), point.median() * scale.factor,
         point.least() * scale.factor, point.most() * scale.factor, scale.unit, percent * point.spread()});
  }
  return section;
}

}  // namespace

Part launches_part(const Source& source) {
  Part part{"launches", "Spread over launches", {}, {}, ""};
  const auto& launches = source.input.launches;
  if (launches.size() < 2) return part;
  const auto all = rows(launches);
  const auto points = launched(all);
  if (points.empty()) return part;
  part.shown.push_back({"launches", "", {sentence(points, launches.size())}, {}, {}});
  part.folded.push_back(table_of(points));
  return part;
}

}  // namespace steelyard::report
