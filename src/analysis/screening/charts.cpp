// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "record/value.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screening {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

/// A node with its median over the visits.
struct NodeValue {
  std::size_t host = 0;
  double value = 0;
};

std::optional<double> median_of(const Values& values) {
  const auto visits = known(values.visits);
  return visits.empty() ? std::nullopt : std::optional(stats::median(visits));
}

/// Nodes with a value, worst first.
std::vector<NodeValue> sorted_values(const NodeTest& test) {
  std::vector<NodeValue> list;
  for (std::size_t host = 0; host < test.nodes.size(); ++host)
    if (const auto value = median_of(test.nodes[host])) list.push_back({host, *value});
  const bool lower = screen::quantity(test.name)->lower_is_better;
  std::ranges::stable_sort(list, [&](const NodeValue& one, const NodeValue& other) {
    return lower ? one.value > other.value : one.value < other.value;
  });
  return list;
}

const Finding* finding_of(const Screening& screening, std::string_view quantity, std::size_t host) {
  const auto found = std::ranges::find_if(screening.findings, [&](const Finding& one) {
    return one.host == host && !one.other && one.quantity == quantity;
  });
  return found == screening.findings.end() ? nullptr : &*found;
}

/// Medians that nodes are judged by: of all, of two groups, or of each kind of node.
Json medians_of(const Overview& overview) {
  Json medians = Json::array();
  const auto add = [&](double value, std::size_t count, const std::string& name) {
    medians.push_back(Json{{"value", value}, {"count", count}, {"name", record::valid_utf8(name)}});
  };
  for (const auto& [count, median] : overview.groups) add(median, count, "");
  if (overview.groups.empty())
    for (const auto& kind : overview.kinds) add(kind.median, kind.count, kind.processor);
  if (medians.empty()) add(overview.median, overview.count, "");
  return medians;
}

Json chart_of(const NodeTest& test, const Overview& overview, const Screening& screening) {
  const auto& names = screening.measured.hosts;
  Json hosts = Json::array(), values = Json::array(), flagged = Json::array(), without = Json::array();
  for (const auto& [host, value] : sorted_values(test)) {
    if (const auto* finding = finding_of(screening, test.name, host))
      flagged.push_back(Json{{"at", hosts.size()},
                             {"verdict", std::string(text(finding->verdict))},
                             {"told", record::valid_utf8(sentence(*finding))}});
    hosts.push_back(record::valid_utf8(names[host]));
    values.push_back(value);
  }
  for (std::size_t host = 0; host < test.nodes.size(); ++host)
    if (test.nodes[host].took_part && !median_of(test.nodes[host]))
      without.push_back(record::valid_utf8(names[host]));
  return {{"quantity", test.name},
          {"unit", overview.unit},
          {"better", screen::quantity(test.name)->lower_is_better ? "lower" : "higher"},
          {"limit_percent", overview.judged ? Json(overview.limit_percent) : Json()},
          {"medians", medians_of(overview)},
          {"hosts", std::move(hosts)},
          {"values", std::move(values)},
          {"flagged", std::move(flagged)},
          {"without", std::move(without)}};
}

/// Hosts by the weight of their verdicts, worst first; those that are well keep their order.
std::vector<std::size_t> worst_first(const Screening& screening) {
  std::vector<std::size_t> order(screening.hosts.size());
  for (std::size_t host = 0; host < order.size(); ++host) order[host] = host;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t host) { return screening.hosts[host]; });
  return order;
}

Cell percent_beside(const NodeTest& test, std::size_t host, double median) {
  const auto value = host < test.nodes.size() ? median_of(test.nodes[host]) : std::nullopt;
  Cell cell(value && median > 0 ? std::optional(100 * (*value / median - 1)) : std::nullopt);
  cell.decimals = 1;
  return cell;
}

}  // namespace

Json charts(const Screening& screening) {
  Json list = Json::array();
  for (const NodeTest& test : screening.measured.nodes) {
    const auto overview = std::ranges::find(screening.overviews, test.name, &Overview::quantity);
    if (overview != screening.overviews.end() && overview->count > 0)
      list.push_back(chart_of(test, *overview, screening));
  }
  return list;
}

Section nodes_table(const Screening& screening, std::size_t most) {
  Section section = analysis::table_section("screen_nodes", "Every node beside the median");
  section.table.columns = {{"node", "node", "", ColumnKind::text},
                           {"verdict", "verdict", "", ColumnKind::text}};
  std::vector<double> medians;
  for (const NodeTest& test : screening.measured.nodes) {
    section.table.columns.push_back({test.name, test.name, "percent", ColumnKind::number});
    const auto overview = std::ranges::find(screening.overviews, test.name, &Overview::quantity);
    medians.push_back(overview == screening.overviews.end() ? 0 : overview->median);
  }
  const auto order = worst_first(screening);
  for (const std::size_t host : order) {
    if (section.table.rows.size() == most) break;
    const bool is_unknown = screening.hosts[host] == Verdict::ok && !screening.compared[host];
    std::vector<Cell> row{screening.measured.hosts[host],
                          is_unknown ? "not compared" : std::string(text(screening.hosts[host]))};
    for (std::size_t i = 0; i < medians.size(); ++i)
      row.push_back(percent_beside(screening.measured.nodes[i], host, medians[i]));
    section.table.rows.push_back(std::move(row));
  }
  if (order.size() > most)
    section.notes.push_back(std::to_string(most) + " of " + std::to_string(order.size()) +
                            " nodes, those that stand out first");
  return section;
}

}  // namespace steelyard::screening
