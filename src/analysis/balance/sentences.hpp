// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/balance/balance.hpp"

/// Sentences about one system. Internal to this folder.
/// Tables beside ratios and verdict; without rows if nothing is known. Internal to this folder.
namespace steelyard::balance {

/// Value with three significant digits.
[[nodiscard]] std::string digits(double value);

/// Layout, kind of run, HPL beside DGEMM, labels, missing parts.
[[nodiscard]] std::vector<std::string> head(const Judged& judged);
/// The verdict, the coffee-cup rule, the I/O fraction, the place among the references.
[[nodiscard]] std::vector<std::string> conclusions(const Judged& judged);
/// The same without missing inputs, reasons, and figures that stand in tables of their own.
[[nodiscard]] std::vector<std::string> in_brief(const Judged& judged, const std::string& command);
/// Every flag of the system, explained once.
[[nodiscard]] std::vector<std::string> explained(const Judged& judged);

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
