// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "machine/topology.hpp"
#include "record/json.hpp"
#include "report/rows.hpp"
#include "report/sections.hpp"
#include "stats/compare.hpp"
#include "suites/screen/quantities.hpp"
#include "units/quantity.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

constexpr std::size_t most_pairs = 200;
using prefix::micro, prefix::giga;

bool is_whole(const record::TableRecord& table) {
  const Json& columns = table.columns.json();
  if (table.name != "pingpong_pairs" || !columns.is_object()) return false;
  return std::ranges::all_of(pair_columns, [&](const char* name) {
    return columns.contains(name) && columns[name].is_array() &&
           columns[name].size() == columns["from_rank"].size();
  });
}

Section matrix(const std::string& name, const Json& columns) {
  Section section = analysis::table_section("pairs", "Pairs of " + name);
  section.table.columns = {{"from", "from rank", "", ColumnKind::number},
                           {"to", "to rank", "", ColumnKind::number},
                           {"latency", "latency", "us", ColumnKind::number},
                           {"bandwidth", "bandwidth", "GB/s", ColumnKind::number}};
  const std::size_t size = columns["from_rank"].size();
  const auto cell = [&](const char* column, std::size_t k, double scale) {
    const auto& value = columns[column][k];
    return value.is_number() ? Cell(value.get<double>() / scale) : Cell();
  };
  const auto rank = [&](const char* column, std::size_t k) {
    const auto& value = columns[column][k];
    return value.is_number_integer() ? Cell(value.get<std::int64_t>()) : Cell();
  };
  for (const std::size_t k : evenly(size, most_pairs))
    section.table.rows.push_back({rank("from_rank", k), rank("to_rank", k), cell("latency_s", k, micro),
                                  cell("bandwidth_byte_s", k, giga)});
  if (size > most_pairs)
    section.notes.push_back(std::to_string(most_pairs) + " of " + std::to_string(size) +
                            " pairs, evenly thinned");
  return section;
}

/// Pairs that have a value above 0, in logarithms of which more is better; those within a host are a
/// class of their own.
std::vector<stats::Between> links_of_ranks(const Json& columns, const screen::Quantity& quantity,
                                           const char* name, const std::vector<std::string>& hosts) {
  constexpr std::int64_t most_ranks = 1 << 16;
  std::vector<stats::Between> links;
  for (std::size_t k = 0; k < columns["from_rank"].size(); ++k) {
    const Json &value = columns[name][k], &from = columns["from_rank"][k], &to = columns["to_rank"][k];
    if (!value.is_number() || !(value.get<double>() > 0) || !from.is_number_integer() ||
        !to.is_number_integer())
      continue;
    const auto a = from.get<std::int64_t>(), b = to.get<std::int64_t>();
    if (std::min(a, b) < 0 || std::max(a, b) >= most_ranks || a == b) continue;
    const auto host = [&](std::int64_t rank) {
      const auto place = static_cast<std::size_t>(rank);
      return place < hosts.size() ? hosts[place] : std::to_string(rank);
    };
    const double log = std::log(value.get<double>());
    links.push_back({static_cast<std::size_t>(a), static_cast<std::size_t>(b),
                     quantity.lower_is_better ? -log : log, host(a) == host(b) ? 0U : 1U});
  }
  return links;
}

/// Adds a row for every rank that is worse by the rule of screening, and for every pair of ranks that is
/// worse beyond what its ranks account for.
void add_outlying(const Json& columns, const char* name, const screen::Quantity& quantity,
                  const std::vector<std::string>& hosts, Section& section) {
  const auto links = links_of_ranks(columns, quantity, name, hosts);
  if (links.empty()) return;
  std::size_t ends = 0;
  for (const auto& link : links) ends = std::max({ends, link.a + 1, link.b + 1});
  const auto found = stats::link_standings(links, ends, quantity.tolerance, 1);
  const auto add = [&](std::size_t rank, Cell other, const stats::Standing& standing) {
    section.table.rows.push_back({static_cast<std::int64_t>(rank), std::move(other),
                                  rank < hosts.size() ? hosts[rank] : "", std::string(quantity.name),
                                  100 * std::expm1(standing.limit), std::exp(-standing.off)});
  };
  for (std::size_t end = 0; end < ends; ++end)
    if (found.ends.of[end].worse()) add(end, {}, found.ends.of[end]);
  for (std::size_t k = 0; k < links.size() && section.table.rows.size() < most_pairs; ++k)
    if (found.links[k].worse() && !found.ends.of[links[k].a].worse() && !found.ends.of[links[k].b].worse())
      add(links[k].a, static_cast<std::int64_t>(links[k].b), found.links[k]);
}

Section outliers(const std::string& name, const Json& columns, const std::vector<std::string>& hosts) {
  Section section = analysis::table_section("outlying_ranks", "Ranks that stand out, " + name);
  section.table.columns = {{"rank", "rank", "", ColumnKind::number},
                           {"other", "of its pair with", "", ColumnKind::number},
                           {"host", "host", "", ColumnKind::text},
                           {"quantity", "", "", ColumnKind::text},
                           {"limit_percent", "may be off by", "percent", ColumnKind::number},
                           {"worse", "times worse", "", ColumnKind::number}};
  add_outlying(columns, "latency_s", *screen::quantity("latency"), hosts, section);
  add_outlying(columns, "bandwidth_byte_s", *screen::quantity("bandwidth"), hosts, section);
  if (section.table.rows.empty())
    section.text.emplace_back(
        "None by the rule of screening: pairs within a host and between hosts, each rank apart.");
  return section;
}

/// Hosts and switches of ranks.
struct RankPlaces {
  std::vector<std::string> hosts, switches;
  /// Class of a pair: 0 within a host, else by how far its switches are apart.
  [[nodiscard]] std::size_t class_of(std::int64_t a, std::int64_t b) const {
    if (const auto host = at(hosts, a); !host.empty() && host == at(hosts, b)) return 0;
    return 1 + machine::class_between(at(switches, a), at(switches, b));
  }
  /// Returns an empty text if the place is not known.
  static std::string_view at(const std::vector<std::string>& list, std::int64_t rank) {
    const auto place = static_cast<std::size_t>(rank);
    return rank >= 0 && place < list.size() ? std::string_view(list[place]) : std::string_view();
  }
};

/// Pairs of ranks as squares of a picture.
class Squares {
 public:
  Squares(const Json& columns, RankPlaces places) : columns_(columns), places_(std::move(places)) {
    number_ranks();
    for (std::size_t row = 0; row < rows(); ++row) add(row);
    for (std::size_t i = 0; i < of_class_.size(); ++i) find_classes(i);
  }
  [[nodiscard]] PairSquares taken() const {
    PairSquares squares{Json::object(), static_cast<std::int64_t>(block_)};
    for (const char* name : pair_columns) squares.columns[name] = Json::array();
    for (const auto& [corner, values] : seen_) {
      squares.columns["from_rank"].push_back(corner.first);
      squares.columns["to_rank"].push_back(corner.second);
      put("latency", "_s", values[0], 0, squares.columns);
      put("bandwidth", "_byte_s", values[1], 1, squares.columns);
    }
    return squares;
  }

 private:
  using Ranks = std::pair<std::int64_t, std::int64_t>;
  using Visits = std::map<Ranks, std::vector<double>>;  // of each pair of a square

  [[nodiscard]] std::size_t rows() const { return columns_["from_rank"].size(); }
  [[nodiscard]] std::int64_t rank(const char* end, std::size_t row) const {
    const Json& value = columns_[end][row];
    return value.is_number_integer() ? value.get<std::int64_t>() : -1;
  }
  /// Numbers the ranks that have pairs; ranks at one switch are neighbours.
  void number_ranks() {
    constexpr std::size_t most_squares = 256;
    for (std::size_t row = 0; row < rows(); ++row)
      for (const char* end : {"from_rank", "to_rank"}) place_.emplace(rank(end, row), 0);
    for (const auto& [rank, place] : place_) ranks_.push_back(rank);
    std::ranges::stable_sort(ranks_, {},
                             [&](std::int64_t rank) { return RankPlaces::at(places_.switches, rank); });
    for (std::size_t place = 0; place < ranks_.size(); ++place) place_[ranks_[place]] = place;
    block_ = std::max<std::size_t>(1, (ranks_.size() + most_squares - 1) / most_squares);
  }
  /// First rank of the block of a rank.
  [[nodiscard]] std::int64_t corner(std::int64_t rank) const {
    return ranks_[place_.at(rank) / block_ * block_];
  }
  void add(std::size_t row) {
    const Ranks pair{rank("from_rank", row), rank("to_rank", row)};
    auto& values = seen_[{corner(pair.first), corner(pair.second)}];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json& value = columns_[pair_columns[2 + i]][row];
      if (value.is_number() && value.get<double>() > 0) values[i][pair].push_back(value.get<double>());
    }
  }
  /// Finds the medians over the pairs of each class.
  void find_classes(std::size_t quantity) {
    std::map<std::size_t, std::vector<double>> values;
    for (const auto& [corner, of] : seen_)
      for (const auto& [pair, visits] : of[quantity])
        values[places_.class_of(pair.first, pair.second)].push_back(stats::median(visits));
    for (auto& [level, list] : values) of_class_[quantity][level] = stats::median(std::move(list));
  }
  /// Puts the medians of the pairs of a square, of their values and of their percents, and the worst of each.
  void put(const std::string& name, const std::string& unit, const Visits& visits, std::size_t quantity,
           Json& into) const {
    std::vector<double> values, percents;
    for (const auto& [pair, list] : visits) {
      values.push_back(stats::median(list));
      percents.push_back(100 * values.back() /
                         of_class_[quantity].at(places_.class_of(pair.first, pair.second)));
    }
    put(name + unit, values, quantity == 0, into);
    put(name + "_percent", percents, quantity == 0, into);
  }
  void put(const std::string& name, const std::vector<double>& values, bool most_is_worst, Json& into) const {
    const auto shown = [&](auto number) { return values.empty() ? Json() : six_digits(number()); };
    const auto add = [&](const std::string& column, const Json& value) {
      if (!into.contains(column)) into[column] = Json::array();
      into[column].push_back(value);
    };
    add(name, shown([&] { return stats::median(values); }));
    if (block_ == 1) return;
    add("worst_" + name,
        shown([&] { return most_is_worst ? std::ranges::max(values) : std::ranges::min(values); }));
  }

  const Json& columns_;
  RankPlaces places_;
  std::map<std::int64_t, std::size_t> place_;  // of a rank
  std::vector<std::int64_t> ranks_;
  std::size_t block_ = 1;
  std::map<Ranks, std::array<Visits, 2>> seen_;            // latency, bandwidth
  std::array<std::map<std::size_t, double>, 2> of_class_;  // medians of the same
};

}  // namespace

std::vector<std::string> switches_of_ranks(const record::Whereabouts& where) {
  const Json& layout = where.layout;
  std::vector<std::string> list;
  for (const char* name : {"switches", "switch_of"})
    if (!layout.is_object() || !layout.contains(name) || !layout[name].is_array()) return list;
  const Json &switches = layout["switches"], &switch_of = layout["switch_of"];
  for (const int node : record::nodes_of_ranks(where)) {
    const auto host = static_cast<std::size_t>(node);
    const bool at_one = node >= 0 && host < switch_of.size() && switch_of[host].is_number_integer();
    const auto place = at_one ? switch_of[host].get<std::int64_t>() : -1;
    const bool known = place >= 0 && place < static_cast<std::int64_t>(switches.size());
    list.push_back(known ? text_of(switches[static_cast<std::size_t>(place)]) : "");
  }
  return list;
}

PairSquares pair_squares(const record::TableRecord& table, const record::Whereabouts& where) {
  if (!is_whole(table)) return {};
  return Squares(table.columns.json(), {record::hosts_of_ranks(where), switches_of_ranks(where)}).taken();
}

Part pairs_part(const Source& source) {
  Part part{"pairs", "Pairs of processes", {}, {}, "pairs"};
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t t = 0; t < runs[i].tables.size(); ++t) {
      if (!is_whole(runs[i].tables[t])) continue;
      const Json& columns = runs[i].tables[t].columns.json();
      part.shown.push_back(outliers(source.names[i], columns,
                                    record::hosts_of_ranks(record::whereabouts_of_table(runs[i], t))));
      part.folded.push_back(matrix(source.names[i], columns));
    }
  return part;
}

}  // namespace steelyard::report
