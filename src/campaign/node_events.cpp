// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_events.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {

std::vector<record::EventRecord> events_of(const Disturbances& met) {
  constexpr double tolerated_steal = 0.005, tolerated_migrations = 0.01;
  std::vector<record::EventRecord> events;
  const auto warn = [&](const char* code, std::string text, record::Json data) {
    events.push_back({record::Severity::warning, code, std::move(text), {}, std::move(data)});
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

}  // namespace steelyard::campaign
