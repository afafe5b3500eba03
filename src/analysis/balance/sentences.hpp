// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/balance/balance.hpp"

/// Sentences about one system. Internal to this folder.
namespace steelyard::balance {

/// Value with three significant digits.
[[nodiscard]] std::string digits(double value);
[[nodiscard]] std::string joined(const std::vector<std::string>& words, const char* between);

/// Layout, kind of run, HPL beside DGEMM, labels, missing parts.
[[nodiscard]] std::vector<std::string> head(const Judged& judged);
/// The verdict, the coffee-cup rule, the I/O fraction, the place among the references.
[[nodiscard]] std::vector<std::string> conclusions(const Judged& judged);
/// The same without missing inputs, reasons, and figures that stand in tables of their own.
[[nodiscard]] std::vector<std::string> in_brief(const Judged& judged, const std::string& command);
/// Every flag of the system, explained once.
[[nodiscard]] std::vector<std::string> explained(const Judged& judged);

}  // namespace steelyard::balance
