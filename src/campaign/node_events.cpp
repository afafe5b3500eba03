// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_events.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "machine/topology.hpp"
#include "record/file.hpp"
#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using Points = std::span<const Measured>;

/// Next point of the series in one direction of size; nullptr at the end of the curve.
template <class Closer>
const Measured* neighbour(Points points, const Measured& of, Closer closer) {
  const Measured* best = nullptr;
  for (const Measured& other : points) {
    if (other.series != of.series || !other.time_s || !closer(other.bytes, of.bytes)) continue;
    if (best == nullptr || closer(best->bytes, other.bytes)) best = &other;
  }
  return best;
}

double position(std::int64_t bytes) {
  return std::log(static_cast<double>(bytes) + 1);
}

double interpolated_s(const Measured& below, const Measured& above, std::int64_t bytes) {
  const double share =
      (position(bytes) - position(below.bytes)) / (position(above.bytes) - position(below.bytes));
  return std::exp((1 - share) * std::log(*below.time_s) + share * std::log(*above.time_s));
}

bool is_outlier(Points points, const Measured& point) {
  if (point.noisy) return true;
  if (!point.time_s || *point.time_s <= 0) return false;
  const Measured* below = neighbour(points, point, std::less<>());
  const Measured* above = neighbour(points, point, std::greater<>());
  if (below == nullptr || above == nullptr || *below->time_s <= 0 || *above->time_s <= 0) return false;
  const double ratio = *point.time_s / interpolated_s(*below, *above, point.bytes);
  return std::max(ratio, 1 / ratio) > outlier_factor;
}

}  // namespace

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

std::vector<record::EventRecord> events_of(const Disturbances& met) {
  constexpr double tolerated_steal = 0.005, tolerated_migrations = 0.01;
  std::vector<record::EventRecord> events;
  const auto warn = [&](const char* code, std::string text, record::Json data) {
    events.push_back({record::Severity::warning, code, std::move(text), std::move(data)});
  };
  if (met.steal_share > tolerated_steal)
    warn("steal",
         "while this session measured, the hypervisor gave " + units::percent(met.steal_share, 1) +
             " of the time to other guests",
         {{"steal_share", met.steal_share}});
  if (met.throttled_periods > 0)
    warn("container_quota",
         "while this session measured, the control group's quota was spent " +
             units::counted(met.throttled_periods, "time") + ": processes were stopped for " +
             units::format_significant(met.throttled_s, 3) + " s",
         {{"throttled_periods", met.throttled_periods}, {"throttled_s", met.throttled_s}});
  if (met.remote_processes > 0)
    warn("remote_memory",
         "memory of " + units::counted(met.remote_processes, "process", "processes") +
             " lay in other NUMA domains than their processors, up to " +
             units::percent(met.remote_share, 0) + " of a process's",
         {{"processes", met.remote_processes}, {"largest_share", met.remote_share}});
  const double visits = static_cast<double>(met.visits), migrated = static_cast<double>(met.migrated_visits);
  if (migrated > tolerated_migrations * visits)
    warn("migrated",
         "processes changed their processor in " + units::counted(met.migrated_visits, "visit") + " of " +
             std::to_string(met.visits),
         {{"migrated_visits", met.migrated_visits}, {"visits", met.visits}});
  return events;
}

namespace {

/// Events of one code on all nodes.
struct CodeOnNodes {
  std::size_t event = 0;  // index of the merged one
  int nodes = 0;
  std::size_t last_node = 0;
  std::set<std::string> kinds = {};  // of its sentences
};

/// Beginning that sentences of one kind share: values follow.
std::string kind_of_sentence(const std::string& text) {
  return text.substr(0, text.find_first_of("0123456789"));
}

}  // namespace

std::vector<record::EventRecord> merged(const std::vector<NodeFindings>& nodes) {
  std::vector<record::EventRecord> events;
  std::map<std::string, CodeOnNodes> seen;
  for (std::size_t node = 0; node < nodes.size(); ++node)
    for (const record::EventRecord& finding : nodes[node]) {
      const auto [place, is_new] = seen.try_emplace(finding.code, CodeOnNodes{.event = events.size()});
      CodeOnNodes& code = place->second;
      if (is_new) events.push_back(finding);
      if (code.nodes == 0 || code.last_node != node) ++code.nodes;
      code.last_node = node;
      record::EventRecord& event = events[code.event];
      event.severity = std::max(event.severity, finding.severity);
      if (code.kinds.insert(kind_of_sentence(finding.text)).second && !is_new)
        event.text += ' ' + finding.text;
    }
  if (nodes.size() > 1)
    for (const auto& [name, code] : seen) events[code.event].data = record::Json{{"nodes", code.nodes}};
  return events;
}

std::string series_of(const suites::PointPlan& point) {
  record::Params common = point.params;
  for (const std::string& name : point.size_params) common.erase(name);
  return record::make_key("", "", 1, 1, 1, common);
}

std::vector<std::size_t> outliers(Points points) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (is_outlier(points, points[i])) found.push_back(i);
  return found;
}

}  // namespace steelyard::campaign
