// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include "report/chart_tables.hpp"

namespace steelyard::report {
namespace {

/// A way to make sure that a put is complete, and the benchmark that measures it between two processes.
struct Way {
  std::string_view suite, benchmark, mode;
  const char *key, *title;
};
constexpr auto ways = std::to_array<Way>({
    {"imb-ext", "Unidir_Put", "non_aggregate", "fence_s", "a fence after each"},
    {"imb-rma", "Unidir_put", "non_aggregate", "flush_s", "a flush after each"},
    {"imb-rma", "Put_local", "non_aggregate", "flush_local_s", "a local flush after each"},
    {"imb-ext", "Unidir_Put", "aggregate", "fence_of_all_s", "one fence after all"},
    {"imb-rma", "Unidir_put", "aggregate", "flush_of_all_s", "one flush after all"},
    {"imb-rma", "Put_local", "aggregate", "flush_local_of_all_s", "one local flush after all"},
});

std::string mode_of(const record::PointRecord& point) {
  const auto* mode = record::find(point.params, "mode");
  return mode == nullptr ? "" : word(*mode);
}

}  // namespace

analysis::Section synchronisation_table(const Source& source) {
  std::vector<analysis::Column> columns{text_column("run", "run"),
                                        number_column("message_byte", "length", "byte")};
  for (const Way& way : ways) columns.push_back(number_column(way.key, way.title, "s"));
  auto section = chart_section("put_synchronisation", "Put of one process to another, by what completes it",
                               std::move(columns));
  std::map<std::pair<std::size_t, double>, std::array<std::optional<double>, ways.size()>> times;
  for (const Row& row : source.rows)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const auto& point = *row.point;
      const bool mine = point.suite == ways[w].suite && point.benchmark == ways[w].benchmark;
      if (!mine || mode_of(point) != ways[w].mode || !row.length_byte || !row.median) continue;
      auto& time = times[{row.run, *row.length_byte}][w];
      if (!time) time = row.median;
    }
  // Fences alone have tables of their own.
  const auto passive = [](const Row& row) { return row.point->suite == "imb-rma"; };
  if (std::ranges::none_of(source.rows, passive)) return section;
  for (const auto& [place, values] : times) {
    std::vector<analysis::Cell> cells{source.names[place.first], place.second};
    for (const auto& value : values) cells.push_back(value ? analysis::Cell(*value) : analysis::Cell());
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace steelyard::report
