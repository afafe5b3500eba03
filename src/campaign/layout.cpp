// SPDX-License-Identifier: Apache-2.0
#include "campaign/layout.hpp"

#include <algorithm>

#include "machine/topology.hpp"
#include "record/file.hpp"

namespace steelyard::campaign {

std::vector<RankRun> rank_runs(const std::vector<int>& ascending) {
  std::vector<RankRun> runs;
  for (const int rank : ascending) {
    if (!runs.empty() && runs.back().first + runs.back().second == rank)
      ++runs.back().second;
    else
      runs.emplace_back(rank, 1);
  }
  return runs;
}

Layout::Layout(std::vector<NodeRanks> nodes) {
  std::ranges::sort(nodes, {}, [](const NodeRanks& node) { return node.runs.front().first; });
  for (const NodeRanks& node : nodes) {
    const std::size_t index = hosts_.size();
    hosts_.push_back(node.host);
    const auto kind = std::ranges::find(kinds_, node.kind);
    kind_of_.push_back(static_cast<std::size_t>(kind - kinds_.begin()));
    if (kind == kinds_.end()) kinds_.push_back(node.kind);
    for (const auto& [first, count] : node.runs) ranges_.push_back({first, count, index});
    binding_ = index == 0 || binding_ == node.binding ? node.binding : "mixed";
  }
  std::ranges::sort(ranges_, {}, &RankRange::first);
}

std::string Layout::host_of(int rank) const {
  const auto after = std::ranges::upper_bound(ranges_, rank, {}, &RankRange::first);
  if (after == ranges_.begin()) return {};
  const RankRange& range = *std::prev(after);
  return rank < range.first + range.count ? hosts_[range.host] : std::string();
}

record::Json Layout::coded_ranks() const {
  // Up to here everybody reads them without thinking.
  constexpr std::size_t most_plain = 4096;
  const bool plain = ranges_.size() <= most_plain;
  record::Json ranks = record::Json::array();
  for (std::size_t at = 0; at < ranges_.size();) {
    const RankRange& first = ranges_[at];
    std::size_t hosts = 1;
    while (!plain && at + hosts < ranges_.size() && ranges_[at + hosts].count == first.count &&
           ranges_[at + hosts].host == first.host + hosts)
      ++hosts;
    ranks.push_back({first.host, first.count});
    if (hosts > 1) ranks.back().push_back(hosts);
    at += hosts;
  }
  return ranks;
}

record::Document Layout::document() const {
  record::Json layout{{"hosts", hosts_}, {"ranks", coded_ranks()}};
  if (!binding_.empty()) layout["binding"] = binding_;
  if (kinds_.size() > 1) {
    record::Json kinds = record::Json::array();
    for (const std::string& kind : kinds_)
      kinds.push_back(kind.empty() ? record::Json::object() : record::Json::parse(kind));
    layout["kinds"] = std::move(kinds);
    layout["kind_of"] = kind_of_;
  }
  return layout;
}

std::string shorten(record::Document& layout) {
  // The rest of the line is for everything else that is told of a run.
  constexpr std::size_t most_byte = record::max_line_byte / 4 * 3;
  const auto fits = [&] { return layout.json().dump().size() <= most_byte; };
  if (fits()) return {};
  layout.json()["ranks"] = record::Json::array();
  if (fits()) return "which ranks are on which host";
  layout = record::Json{{"hosts", record::Json::array()}, {"ranks", record::Json::array()}};
  return "names of hosts, and which ranks are on them";
}

namespace {

/// Path with numbers for its names, the same number for the same name.
std::string numbered(const std::string& path, std::map<std::string, std::size_t>& numbers) {
  std::string hidden;
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    const auto number = numbers.try_emplace(path.substr(0, end), numbers.size()).first->second;
    hidden += (hidden.empty() ? "switch" : "/switch") + std::to_string(number);
    at = end + 1;
  }
  return hidden;
}

}  // namespace

void tell_switches(const std::map<std::string, std::string>& switch_of, bool hidden,
                   record::Document& layout) {
  if (!layout.json().is_object() || !layout.json().contains("hosts")) return;
  std::vector<std::string> hosts, switches;
  for (const auto& host : layout.json()["hosts"]) hosts.push_back(host.get<std::string>());
  record::Json places = record::Json::array();
  for (const std::string& name : machine::switches_of(hosts, switch_of)) {
    const auto found = std::ranges::find(switches, name);
    places.push_back(name.empty() ? record::Json()
                                  : record::Json(static_cast<std::int64_t>(found - switches.begin())));
    if (!name.empty() && found == switches.end()) switches.push_back(name);
  }
  if (switches.empty()) return;
  std::map<std::string, std::size_t> numbers;
  if (hidden)
    for (std::string& name : switches) name = numbered(name, numbers);
  layout.json()["switches"] = switches;
  layout.json()["switch_of"] = std::move(places);
}

std::string binding_of(const std::vector<Mask>& ranks) {
  if (std::ranges::all_of(ranks, [](const Mask& mask) { return mask.cores.size() == 1; })) return "core";
  const bool shared = std::ranges::all_of(
      ranks, [&](const Mask& mask) { return mask.processors == ranks.front().processors; });
  return shared ? "none" : "set";
}

}  // namespace steelyard::campaign
