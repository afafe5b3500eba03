// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "analysis/balance/measured.hpp"
#include "record/json.hpp"
#include "report/rows.hpp"
#include "report/sections.hpp"
#include "stats/order.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

constexpr std::size_t most_pairs = 200;
using prefix::micro, prefix::giga;
/// A rank whose median is so many times worse than that of all pairs is named.
constexpr double outlying = 1.5;

bool is_whole(const record::TableRecord& table) {
  const Json& columns = table.columns.json();
  if (table.name != "pingpong_pairs" || !columns.is_object()) return false;
  return std::ranges::all_of(pair_columns, [&](const char* name) {
    return columns.contains(name) && columns[name].is_array() &&
           columns[name].size() == columns["from_rank"].size();
  });
}

Section matrix(const std::string& name, const Json& columns) {
  Section section{"pairs", "Pairs of " + name, {}, {"pairs", {}, {}, {}}, {}};
  section.table.columns = {{"from", "from rank", "", ColumnKind::number},
                           {"to", "to rank", "", ColumnKind::number},
                           {"latency", "latency", "us", ColumnKind::number},
                           {"bandwidth", "bandwidth", "GB/s", ColumnKind::number}};
  const std::size_t size = columns["from_rank"].size();
  const auto cell = [&](const char* column, std::size_t k, double scale) {
    const auto& value = columns[column][k];
    return value.is_number() ? Cell(value.get<double>() / scale) : Cell();
  };
  for (const std::size_t k : evenly(size, most_pairs))
    section.table.rows.push_back({columns["from_rank"][k].get<std::int64_t>(),
                                  columns["to_rank"][k].get<std::int64_t>(), cell("latency_s", k, micro),
                                  cell("bandwidth_byte_s", k, giga)});
  if (size > most_pairs)
    section.notes.push_back(std::to_string(most_pairs) + " of " + std::to_string(size) +
                            " pairs, evenly thinned");
  return section;
}

/// Values of the pairs of each rank, as sender or as receiver; and of all pairs.
struct ByRank {
  std::map<std::int64_t, std::vector<double>> ranks;
  std::vector<double> all;
};
ByRank by_rank(const Json& columns, const char* name) {
  ByRank out;
  for (std::size_t k = 0; k < columns["from_rank"].size(); ++k) {
    const Json& value = columns[name][k];
    if (!value.is_number() || !(value.get<double>() > 0)) continue;
    for (const char* end : {"from_rank", "to_rank"})
      out.ranks[columns[end][k].get<std::int64_t>()].push_back(value.get<double>());
    out.all.push_back(value.get<double>());
  }
  return out;
}

/// Adds a row for every rank whose median is `outlying` times worse than that of all pairs.
void add_outlying(const Json& columns, const char* name, const std::vector<std::string>& hosts,
                  bool low_is_good, double scale, const char* unit, Section& section) {
  const ByRank held = by_rank(columns, name);
  if (held.all.empty()) return;
  const double overall = stats::median(held.all);
  for (const auto& [rank, values] : held.ranks) {
    const double median = stats::median(values), worse = low_is_good ? median / overall : overall / median;
    if (worse <= outlying) continue;
    const auto place = static_cast<std::size_t>(rank);
    section.table.rows.push_back({rank, place < hosts.size() ? hosts[place] : "",
                                  low_is_good ? "latency" : "bandwidth", median / scale, overall / scale,
                                  unit, worse});
  }
}

Section outliers(const std::string& name, const Json& columns, const std::vector<std::string>& hosts) {
  Section section{"outlying_ranks", "Ranks that stand out, " + name, {}, {"outlying_ranks", {}, {}, {}}, {}};
  section.table.columns = {{"rank", "rank", "", ColumnKind::number},
                           {"host", "host", "", ColumnKind::text},
                           {"quantity", "", "", ColumnKind::text},
                           {"median", "median of its pairs", "", ColumnKind::number},
                           {"overall", "of all pairs", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"worse", "times worse", "", ColumnKind::number}};
  add_outlying(columns, "latency_s", hosts, true, micro, "us", section);
  add_outlying(columns, "bandwidth_byte_s", hosts, false, giga, "GB/s", section);
  if (section.table.rows.empty())
    section.text.emplace_back("None: no rank's median is more than 1.5 times worse than that of all pairs.");
  return section;
}

}  // namespace

std::vector<std::string> hosts_of_ranks(const record::RunRecord& head) {
  const Json& layout = head.layout.json();
  std::vector<std::string> list;
  if (!layout.is_object() || !layout.contains("hosts") || !layout["hosts"].is_array()) return list;
  for (const int node : balance::node_of_rank(head)) {
    const auto place = static_cast<std::size_t>(node);
    list.push_back(node >= 0 && place < layout["hosts"].size() ? text_of(layout["hosts"][place]) : "");
  }
  return list;
}

Part pairs_part(const Source& source) {
  Part part{"pairs", "Pairs of processes", {}, {}, "pairs"};
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& table : runs[i].tables) {
      if (!is_whole(table)) continue;
      const Json& columns = table.columns.json();
      part.shown.push_back(outliers(source.names[i], columns, hosts_of_ranks(runs[i].head)));
      part.folded.push_back(matrix(source.names[i], columns));
    }
  return part;
}

}  // namespace steelyard::report
