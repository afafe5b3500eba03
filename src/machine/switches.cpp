// SPDX-License-Identifier: Apache-2.0
#include "machine/switches.hpp"

#include <algorithm>

namespace steelyard::machine {
namespace {

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
