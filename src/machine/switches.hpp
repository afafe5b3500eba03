// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Switches of nodes, as given by the user. Pure.
namespace steelyard::machine {

/// Host -> its switch, behind the switches above it: "core/island1/leaf3".
using Switches = std::map<std::string, std::string>;

/// Switch of each host; empty if it is at none. A host is also known by its name before the first dot.
[[nodiscard]] std::vector<std::string> switches_of(std::span<const std::string> hosts,
                                                   const Switches& switch_of);

/// Class of a link between two switches: 0 within one, 1 if the switches right above them are the same, and
/// so on. Hosts at no switch count as together.
[[nodiscard]] std::size_t class_between(std::string_view one, std::string_view other);

}  // namespace steelyard::machine
