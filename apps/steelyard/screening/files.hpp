// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analysis/screening/screening.hpp"

/// Tolerances, expected values and topology of a screening, from words and files.
namespace steelyard::cli {

/// Tolerances of quantities, "triad=3%,chase=0.2", each once. Throws units::ParseError with the nearest name.
[[nodiscard]] std::map<std::string, double, std::less<>> parse_tolerances(std::string_view words);

/// The same as check of an option table.
void check_tolerances(std::string_view words);

/// Expected values, from a table for each quantity with `value` and, if it is to differ from the usual one,
/// `tolerance`. Throws UsageError: "NAME:LINE:COLUMN: what is wrong".
[[nodiscard]] std::map<std::string, screening::Expected, std::less<>> parse_expected(std::string_view text,
                                                                                     const std::string& name);
/// Medians of a screening as a text that parse_expected reads.
[[nodiscard]] std::string expected_text(const screening::Measured& measured);

/// Switch of each host, behind those above it: "T/S1". From lines "switch=S nodes=a[1-32],b7", or as Slurm's topology
/// file has them ("SwitchName=S Nodes=..."); other lines begin with # or name switches of switches ("SwitchName=T
/// Switches=S[1-4]"). Throws UsageError: "NAME:LINE: what is wrong".
[[nodiscard]] machine::Switches parse_topology(std::string_view text, const std::string& name);

}  // namespace steelyard::cli
