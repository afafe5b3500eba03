// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/screened.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::history {
namespace {

using record::Json;

/// Verdicts, lightest first.
constexpr std::array<std::string_view, 4> verdicts{"unstable", "slow", "missing", "wrong"};

std::ptrdiff_t weight(std::string_view verdict) {
  const auto found = std::ranges::find(verdicts, verdict);
  return found == verdicts.end() ? -1 : found - verdicts.begin();
}

bool is_nameless(const record::RunRecord& head) {
  const Json& config = head.config.json();
  return config.is_object() && config.contains("anonymous") && config["anonymous"] == Json(true);
}

std::set<std::string> nodes_in(const RunColumns& run) {
  auto hosts = run.screened_hosts.empty() ? record::host_names(run.head) : run.screened_hosts;
  std::erase(hosts, "");
  return {hosts.begin(), hosts.end()};
}

class Collecting {
 public:
  void add(const RunColumns& run) {
    if (!run.named) return;
    ++out_.screenings;
    if (is_nameless(run.head)) {
      ++out_.nameless;
      return;
    }
    const std::string& machine = run.head.name;
    screenings_.push_back({machine, nodes_in(run), {}});
    for (const NamedNode& one : *run.named)
      if (weight(one.verdict) >= 0) take(one, machine, run.head.started_utc.substr(0, ten));
  }

  NodeHistories taken() {
    for (auto& [key, node] : nodes_) {
      count(key, node);
      out_.nodes.push_back(std::move(node));
    }
    std::ranges::sort(out_.nodes, [](const NodeHistory& a, const NodeHistory& b) {
      return std::tie(b.named, b.in_a_row, a.machine, a.who) <
             std::tie(a.named, a.in_a_row, b.machine, b.who);
    });
    return std::move(out_);
  }

 private:
  static constexpr std::size_t ten = 10;                          // characters of a date
  using Key = std::tuple<std::string, std::string, std::string>;  // machine, host, other host
  struct One {
    std::string machine;
    std::set<std::string> hosts;
    std::set<Key> named;
  };

  void take(const NamedNode& one, const std::string& machine, const std::string& day) {
    const Key key{machine, one.host, one.other};
    NodeHistory& node = nodes_[key];
    node.machine = machine;
    node.who = one.host + (one.other.empty() ? "" : " - " + one.other);
    if (node.first.empty()) node.first = day;
    node.last = day;
    if (weight(one.verdict) > weight(node.verdict)) node.verdict = one.verdict;
    ++node.quantities[one.quantity];
    if (std::abs(one.percent) > std::abs(node.worst_percent)) node.worst_percent = one.percent;
    screenings_.back().named.insert(key);
  }

  /// Counts the screenings of a node or link. A link is in a screening that has both of its nodes.
  void count(const Key& key, NodeHistory& node) const {
    const auto& [machine, host, other] = key;
    for (const One& one : screenings_) {
      const bool there =
          one.machine == machine && one.hosts.contains(host) && (other.empty() || one.hosts.contains(other));
      if (!there) continue;
      const bool named = one.named.contains(key);
      ++node.screened;
      node.named += named ? 1 : 0;
      node.in_a_row = named ? node.in_a_row + 1 : 0;
    }
  }

  NodeHistories out_;
  std::map<Key, NodeHistory> nodes_;
  std::vector<One> screenings_;
};

}  // namespace

NodeHistories node_histories(std::span<const RunColumns> runs) {
  Collecting collecting;
  for (const RunColumns& run : runs) collecting.add(run);
  return collecting.taken();
}

}  // namespace steelyard::history
