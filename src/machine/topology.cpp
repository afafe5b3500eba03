// SPDX-License-Identifier: Apache-2.0
#include "machine/topology.hpp"

#include <algorithm>
#include <array>

#include "machine/compression.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {

namespace {

// A record's line has room for 1 MiB; the topology may take this much of it.
constexpr std::size_t most_characters = 64 * 1024;

bool identifies(std::string_view name) {
  constexpr std::array<std::string_view, 11> signs{"hostname", "serial",      "uuid",    "guid",
                                                   "gid",      "lid",         "address", "asset",
                                                   "cgroup",   "processname", "portwwn"};
  const auto small = lower(name);
  return std::ranges::any_of(signs, [&](auto sign) { return small.find(sign) != std::string::npos; });
}

std::string_view attribute(std::string_view element, std::string_view name) {
  const auto start = element.find(std::string(" ") + std::string(name) + "=\"");
  if (start == std::string_view::npos) return {};
  const auto value = element.substr(start + name.size() + 3);
  return value.substr(0, value.find('"'));
}

/// Element in the form that may be recorded; empty if it must not be.
std::string cleaned(std::string_view element) {
  if (element.starts_with("<info ") && identifies(attribute(element, "name"))) return "";
  std::string text(element);
  const auto name = element.starts_with("<object ") ? std::string(attribute(element, "name")) : "";
  if (const auto clean = interface_name(name); clean != name)
    text.replace(text.find(" name=\"" + name) + 7, name.size(), clean);
  return text;
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

}  // namespace

std::string without_identity(std::string_view xml) {
  std::string result;
  while (!xml.empty()) {
    const auto open = std::min(xml.find('<'), xml.size());
    result += xml.substr(0, open);
    xml.remove_prefix(open);
    const auto close = std::min(xml.find('>'), xml.size() - (xml.empty() ? 0 : 1));
    const auto length = std::min(close + 1, xml.size());
    result += cleaned(xml.substr(0, length));
    xml.remove_prefix(length);
  }
  return result;
}

void describe_topology(Source& source, Json& machine) {
  machine["topology"] = nullptr;
  const auto refuse = [&](std::string why) { source.note_missing("topology", std::move(why)); };
  if (!source.live()) return refuse("hwloc reads the machine itself only");
  const auto xml = topology_xml();
  if (!xml) return refuse("no hwloc");
  const auto small = packed(without_identity(*xml));
  if (!small) return refuse("no zlib");
  auto text = base64(*small);
  if (text.size() > most_characters) return refuse("larger than 64 KiB");
  machine["topology"] = {{"format", "hwloc xml, gzip, base64"}, {"data", std::move(text)}};
}

std::vector<std::string> switches_of(std::span<const std::string> hosts, const Switches& switch_of) {
  std::vector<std::string> switches;
  for (const std::string& host : hosts) {
    auto found = switch_of.find(host);
    if (found == switch_of.end()) found = switch_of.find(host.substr(0, host.find('.')));
    switches.push_back(found == switch_of.end() ? std::string() : found->second);
  }
  return switches;
}

std::size_t class_between(std::string_view one, std::string_view other) {
  if (one == other) return 0;
  const auto a = parts_of(one), b = parts_of(other);
  const auto same = std::ranges::mismatch(a, b).in1 - a.begin();
  return std::max(a.size(), b.size()) - static_cast<std::size_t>(same);
}

}  // namespace steelyard::machine
