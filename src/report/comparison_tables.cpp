// SPDX-License-Identifier: Apache-2.0
// Tables that compare: what stands in the same row, messages per second, ways to complete a put.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "record/point_view.hpp"
#include "report/chart_tables.hpp"
#include "units/quantity.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using prefix::micro;

/// Column of a table: a metric, or a classic value if the point has no such metric.
struct Figure {
  const char *name, *title, *unit;
  double scale = 1;
};
constexpr Figure in_us(const char* name, const char* title) {
  return {name, title, "us", micro};
}

std::optional<double> value_of_figure(const record::PointRecord& point, std::string_view name) {
  if (const auto told = record::figure(point, name)) return told;
  return record::number_of(record::find(point.classic, name));
}

/// Table of the points that tell any of `needed`, with these figures of each.
struct Kind {
  const char *id, *title;
  std::vector<std::string_view> needed;
  std::vector<Figure> figures;
};

bool tells(const record::PointRecord& point, std::string_view name) {
  return value_of_figure(point, name).has_value();
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"requests",
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
  return all;
}

bool is_of(const Kind& kind, const record::PointRecord& point) {
  return std::ranges::any_of(kind.needed, [&](auto name) { return tells(point, name); });
}

analysis::Section table_of(const Source& source, const Kind& kind) {
  std::vector<analysis::Column> columns{text_column("run", "run"), text_column("benchmark", "benchmark"),
                                        number_column("processes", "processes"),
                                        text_column("variant", "case"),
                                        number_column("length_byte", "length", "B")};
  for (const Figure& figure : kind.figures)
    columns.push_back(number_column(figure.name, figure.title, figure.unit));
  auto section = analysis::table_section(kind.id, kind.title, std::move(columns));
  const record::PointRecord* last = nullptr;  // rows one after the other mostly share theirs
  bool is_shown = false;
  for (const Row& row : source.rows) {
    const auto& point = *row.point;
    if (std::exchange(last, &point) != &point) is_shown = is_of(kind, point);
    if (!is_shown) continue;
    std::vector<Cell> cells{source.names[row.run], point.suite + '/' + point.benchmark, point.processes,
                            std::string(row.variant), Cell::whole(row.length_byte)};
    for (const Figure& figure : kind.figures) {
      const auto value = value_of_figure(point, figure.name);
      cells.push_back(value ? Cell(*value / figure.scale) : Cell());
    }
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace

bool is_compared(const record::PointRecord& point) {
  return std::ranges::any_of(kinds(), [&](const Kind& kind) { return is_of(kind, point); });
}

analysis::Tables comparison_tables(const Source& source) {
  constexpr std::size_t most = 1000;
  analysis::Tables all;
  for (const Kind& kind : kinds())
    if (auto table = table_of(source, kind); !table.table.rows.empty())
      all.push_back(thinned(std::move(table), most));
  return all;
}

// Messages per second.

namespace {

// Pairs of processes that send at the same time.
std::int64_t pairs_of(const record::PointRecord& point) {
  const auto told = record::whole_of(record::find(point.params, "taking_part"));
  return told.value_or(std::int64_t{point.processes} * point.groups) / 2;
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
  auto section = analysis::table_section(
      "message_rates", "Messages per second over pairs and threads",
      {text_column("run", "run"), text_column("benchmark", "benchmark"),
       number_column("message_byte", "length", "byte"), number_column("pairs", "pairs"),
       number_column("threads", "threads"), number_column("message_rate_op_s", "messages", "op/s")});
  std::map<Place, double> found;
  for (const Row& row : source.rows) {
    const auto& point = *row.point;
    const auto& rate = row.message_rate_op_s;
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

// Ways to complete a put.

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
  return record::word_of(record::find(point.params, "mode"));
}

}  // namespace

analysis::Section synchronisation_table(const Source& source) {
  std::vector<analysis::Column> columns{text_column("run", "run"),
                                        number_column("message_byte", "length", "byte")};
  for (const Way& way : ways) columns.push_back(number_column(way.key, way.title, "s"));
  auto section = analysis::table_section(
      "put_synchronisation", "Put of one process to another, by what completes it", std::move(columns));
  // Fences alone have tables of their own.
  const auto passive = [](const Row& row) { return row.point->suite == "imb-rma"; };
  if (std::ranges::none_of(source.rows, passive)) return section;
  std::map<std::pair<std::size_t, double>, std::array<std::optional<double>, ways.size()>> times;
  for (const Row& row : source.rows)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const auto& point = *row.point;
      const bool mine = point.suite == ways[w].suite && point.benchmark == ways[w].benchmark;
      if (!mine || mode_of(point) != ways[w].mode || !row.length_byte || !row.median) continue;
      auto& time = times[{row.run, *row.length_byte}][w];
      if (!time) time = row.median;
    }
  for (const auto& [place, values] : times) {
    std::vector<analysis::Cell> cells{source.names[place.first], place.second};
    for (const auto& value : values) cells.push_back(value ? analysis::Cell(*value) : analysis::Cell());
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace steelyard::report
