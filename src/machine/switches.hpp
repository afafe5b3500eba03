// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which nodes are at which switch, as it was told. Pure.
namespace steelyard::machine {

/// Host -> its switch, behind those above it: "core/island1/leaf3".
using Switches = std::map<std::string, std::string>;

/// Of each host its switch; at none: empty. A host is also known by its name before the first dot.
[[nodiscard]] std::vector<std::string> switches_of(std::span<const std::string> hosts,
                                                   const Switches& switch_of);

/// Class of a link between two switches: 0 within one, 1 where those right above them are the same, and so on. What is
/// at no switch is together.
[[nodiscard]] std::size_t class_between(std::string_view one, std::string_view other);

}  // namespace steelyard::machine
