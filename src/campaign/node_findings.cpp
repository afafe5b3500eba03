// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_findings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "record/json.hpp"

namespace steelyard::campaign {
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
