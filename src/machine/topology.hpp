// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::machine {

/// XML of hwloc for this machine; nullopt if it cannot be had or this program was built without hwloc.
[[nodiscard]] std::optional<std::string> topology_xml();

/// XML without what identifies this machine or its owner: host name, serial numbers, UUIDs, GUIDs, addresses,
/// asset tags, control groups; interface names lose hardware addresses.
[[nodiscard]] std::string without_identity(std::string_view xml);

// Switches of nodes, as given by the user. Pure.

/// Host -> its switch, behind the switches above it: "core/island1/leaf3".
using Switches = std::map<std::string, std::string>;

/// Switch of each host; empty if it is at none. A host is also known by its name before the first dot.
[[nodiscard]] std::vector<std::string> switches_of(std::span<const std::string> hosts,
                                                   const Switches& switch_of);

/// Class of a link between two switches: 0 within one, 1 if the switches right above them are the same, and
/// so on. Hosts at no switch count as together.
[[nodiscard]] std::size_t class_between(std::string_view one, std::string_view other);

}  // namespace steelyard::machine
