// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace steelyard::machine {

/// XML of hwloc for this machine; nullopt if it cannot be had or this program was built without hwloc.
[[nodiscard]] std::optional<std::string> topology_xml();

/// XML without what identifies this machine or its owner: host name, serial numbers, UUIDs, GUIDs, addresses,
/// asset tags, control groups; interface names lose hardware addresses.
[[nodiscard]] std::string without_identity(std::string_view xml);

}  // namespace steelyard::machine
