// SPDX-License-Identifier: Apache-2.0
#include "record/whereabouts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "record/json.hpp"

namespace steelyard::record {
namespace {

bool is_same_place(const RunRecord& one, const RunRecord& other) {
  return one.processes == other.processes && one.nodes == other.nodes &&
         one.layout.json() == other.layout.json() && one.machine.json() == other.machine.json();
}

/// Element of the list: [host, ranks] or [host, ranks, hosts]; so many hosts follow that each hold as many ranks.
struct Repeated {
  std::int64_t host = 0, ranks = 0, hosts = 1;
};

std::optional<Repeated> repeated(const Json& element) {
  if (!element.is_array() || element.size() < 2 || element.size() > 3) return std::nullopt;
  for (const Json& part : element)
    if (!part.is_number_integer()) return std::nullopt;
  Repeated found{element[0].get<std::int64_t>(), element[1].get<std::int64_t>(), 1};
  if (element.size() == 3) found.hosts = element[2].get<std::int64_t>();
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const auto within = [](std::int64_t value, std::int64_t least) { return value >= least && value <= most; };
  if (!within(found.host, 0) || !within(found.ranks, 1) || !within(found.hosts, 1)) return std::nullopt;
  return found.host + found.hosts <= most ? std::optional(found) : std::nullopt;
}

}  // namespace

void begin_session(Run& run, RunRecord head, int session) {
  const bool follows = run.head_session > 0 && run.head_session != session;
  if (follows && !is_same_place(run.head, head))
    run.earlier.push_back({run.head_session, run.head.processes, run.head.nodes, std::move(run.head.layout),
                           std::move(run.head.machine)});
  run.head = std::move(head);
  run.head_session = session;
}

Whereabouts whereabouts(const Run& run, int session) {
  const auto found =
      std::ranges::find_if(run.earlier, [session](const auto& one) { return session <= one.last; });
  if (found != run.earlier.end()) return *found;
  return run.head;
}

Whereabouts whereabouts_of_point(const Run& run, std::size_t point) {
  const bool known = run.envelopes.size() == run.points.size() && point < run.envelopes.size();
  if (!known) return run.head;
  return whereabouts(run, run.envelopes[point].session);
}

Whereabouts whereabouts_of_table(const Run& run, std::size_t table) {
  const bool known = run.table_sessions.size() == run.tables.size() && table < run.table_sessions.size();
  if (!known) return run.head;
  return whereabouts(run, run.table_sessions[table]);
}

std::vector<std::string> host_names(const Whereabouts& where) {
  std::vector<std::string> names;
  const Json& layout = where.layout;
  if (!layout.is_object() || !layout.contains("hosts") || !layout["hosts"].is_array()) return names;
  for (const Json& host : layout["hosts"])
    names.push_back(host.is_string() ? host.get<std::string>() : std::string());
  return names;
}

std::vector<int> nodes_of_ranks(const Whereabouts& where) {
  std::vector<int> nodes;
  for (const auto& [host, ranks] : rank_stretches(where))
    nodes.insert(nodes.end(), static_cast<std::size_t>(ranks), host);
  if (nodes.size() != static_cast<std::size_t>(where.processes)) return {};
  return nodes;
}

std::vector<std::string> hosts_of_ranks(const Whereabouts& where) {
  const auto names = host_names(where);
  std::vector<std::string> hosts;
  if (names.empty()) return hosts;
  for (const int node : nodes_of_ranks(where)) {
    const auto place = static_cast<std::size_t>(node);
    hosts.push_back(node >= 0 && place < names.size() ? names[place] : std::string());
  }
  return hosts;
}

RankStretches rank_stretches(const Whereabouts& where) {
  RankStretches list;
  const Json& layout = where.layout;
  if (!layout.is_object() || !layout.contains("ranks") || !layout["ranks"].is_array()) return list;
  std::int64_t room = where.processes;
  for (const Json& element : layout["ranks"]) {
    const auto found = repeated(element);
    if (!found || found->ranks > room / found->hosts) return {};
    room -= found->ranks * found->hosts;
    for (std::int64_t i = 0; i < found->hosts; ++i)
      list.emplace_back(static_cast<int>(found->host + i), static_cast<int>(found->ranks));
  }
  return list;
}

}  // namespace steelyard::record
