// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/balance/balance.hpp"

/// Tables beside ratios and verdict; without rows if nothing is known. Internal to this folder.
namespace steelyard::balance {

/// A number of things as a count.
[[nodiscard]] analysis::Cell whole(const std::optional<double>& value);

/// Absolute figures of all systems side by side, one line each.
[[nodiscard]] analysis::Section absolute_section(const Balance& balance);
/// The part of the random ring between nodes.
[[nodiscard]] analysis::Section inter_node_section(const Balance& balance);
/// How many processes of a node saturate its network.
[[nodiscard]] analysis::Section saturation_section(const Balance& balance);
/// The network balance of the curves at the asked speeds.
[[nodiscard]] analysis::Section read_off_section(const Balance& balance);
[[nodiscard]] analysis::Section exponent_section(const Balance& balance);
[[nodiscard]] analysis::Section energy_section(const Balance& balance);
[[nodiscard]] analysis::Section cost_section(const Balance& balance);

}  // namespace steelyard::balance
