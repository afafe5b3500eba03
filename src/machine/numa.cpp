// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

constexpr const char* nodes_path = "/sys/devices/system/node";

/// "Node 0 MemTotal:  65536 kB" without the first two words is a line of meminfo.
std::optional<std::int64_t> node_bytes(std::string_view meminfo, std::string_view key) {
  for (const auto line : split(meminfo, '\n')) {
    const auto place = line.find(key);
    if (place != std::string_view::npos) return bytes_of_kilobytes(line.substr(place), key);
  }
  return std::nullopt;
}

Json distances(Source& source, const std::string& node) {
  Json row = Json::array();
  const auto text = source.peek(node + "/distance").value_or("");
  for (const auto word : words(text)) row.push_back(or_null(whole(word)));
  return row;
}

Json describe_node(Source& source, const std::string& path, std::int64_t number) {
  const auto meminfo = source.peek(path + "/meminfo").value_or("");
  return {{"node", number},
          {"processors", or_null(source.peek(path + "/cpulist"))},
          {"memory_byte", or_null(node_bytes(meminfo, "MemTotal"))},
          {"free_byte", or_null(node_bytes(meminfo, "MemFree"))},
          {"distances", distances(source, path)}};
}

}  // namespace

void describe_numa(Source& source, Json& machine) {
  Json nodes = Json::array();
  for (const auto& name : source.names(nodes_path)) {
    const auto number = name.starts_with("node") ? whole(std::string_view(name).substr(4)) : std::nullopt;
    if (number) nodes.push_back(describe_node(source, std::string(nodes_path) + "/" + name, *number));
  }
  if (nodes.empty()) source.note_missing(nodes_path, error_text(ENOENT));
  machine["numa"] = nodes.empty() ? Json(nullptr) : std::move(nodes);
}

}  // namespace steelyard::machine
