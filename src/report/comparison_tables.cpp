// SPDX-License-Identifier: Apache-2.0
// What benchmarks are compared with in the same row, and what follows.
#include <algorithm>

#include "report/chart_tables.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using prefix::micro;

/// A column: a metric, or where it has no such one a classic value.
struct Figure {
  const char *name, *title, *unit;
  double scale = 1;
};
constexpr Figure in_us(const char* name, const char* title) {
  return {name, title, "us", micro};
}

std::optional<double> value_of_figure(const record::PointRecord& point, std::string_view name) {
  if (const auto told = median_of(point, name)) return told;
  const auto* classic = record::find(point.classic, name);
  if (classic == nullptr || std::holds_alternative<std::nullptr_t>(*classic)) return std::nullopt;
  return record::number(*classic);
}

/// A table of the points that tell the first of `needed`, with these figures of each.
struct Kind {
  const char *id, *title;
  std::vector<std::string_view> needed;
  std::vector<Figure> figures;
};

bool tells(const record::PointRecord& point, std::string_view name) {
  return value_of_figure(point, name).has_value();
}

std::vector<Kind> kinds() {
  return {{"requests",
           "What persistent requests cost and save",
           {"request_init_time_s", "plain_time_s"},
           {in_us("request_init_time_s", "init, mean"),
            in_us("t_init_max_s", "slowest process"),
            in_us("request_free_time_s", "free"),
            in_us("plain_time_s", "without request"),
            {"saving_percent", "saved", "%"},
            {"break_even", "pays after", "executions"}}},
          {"parts",
           "Messages in parts, each handed over when it has been computed",
           {"part_time_s"},
           {in_us("part_time_s", "in parts"),
            in_us("message_time_s", "one message"),
            in_us("compute_time_s", "longest piece"),
            {"part_overhead", "overhead", ""},
            {"perceived_bandwidth_byte_s", "perceived", "MB/s", prefix::mega},
            {"availability", "availability", ""},
            {"early_percent", "early", "%"}}},
          {"neighbours",
           "Collectives of neighbours over messages to the same neighbours",
           {"ratio_to_p2p"},
           {in_us("halo_time_s", "messages"), {"ratio_to_p2p", "collective over messages", ""}}},
          {"passive_target",
           "Puts to a process that computes",
           {"x_passive_progress"},
           {in_us("pure_time_s", "without computation"),
            in_us("t_ovrl_s", "beside it"),
            in_us("compute_time_s", "computation"),
            in_us("x_put_time_s", "put alone"),
            {"x_passive_progress", "progress, 1 = needs no target", ""}}}};
}

analysis::Section table_of(const Source& source, const Kind& kind) {
  std::vector<analysis::Column> columns{text_column("run", "run"), text_column("benchmark", "benchmark"),
                                        number_column("processes", "processes"),
                                        text_column("variant", "case"),
                                        number_column("length_byte", "length", "B")};
  for (const Figure& figure : kind.figures)
    columns.push_back(number_column(figure.name, figure.title, figure.unit));
  auto section = chart_section(kind.id, kind.title, std::move(columns));
  for (const Row& row : source.rows) {
    const auto& point = *row.point;
    if (std::ranges::none_of(kind.needed, [&](auto name) { return tells(point, name); })) continue;
    std::vector<Cell> cells{source.names[row.run], point.suite + '/' + point.benchmark, point.processes,
                            row.variant,
                            row.length_byte ? Cell(static_cast<std::int64_t>(*row.length_byte)) : Cell()};
    for (const Figure& figure : kind.figures) {
      const auto value = value_of_figure(point, figure.name);
      cells.push_back(value ? Cell(*value / figure.scale) : Cell());
    }
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace

analysis::Tables comparison_tables(const Source& source) {
  constexpr std::size_t most = 1000;
  analysis::Tables all;
  for (const Kind& kind : kinds())
    if (auto table = table_of(source, kind); !table.table.rows.empty())
      all.push_back(thinned(std::move(table), most));
  return all;
}

}  // namespace steelyard::report
