// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/sections.hpp"

namespace steelyard::report {
namespace {

/// Of all ratios at least one could be computed.
bool has_values(const analysis::Section& section) {
  const auto& table = section.table;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].key == table.needed)
      return std::ranges::any_of(
          table.rows, [&](const auto& row) { return !std::holds_alternative<std::monostate>(row[i].value); });
  return true;
}

}  // namespace

Part balance_part(const Source& source) {
  Part part{"balance", "Balance", {}, {}, "balance"};
  const auto& judged = source.input.judged;
  if (!judged || !std::ranges::any_of(judged->systems, [](const auto& one) { return one.has_ratio(); }))
    return part;
  for (analysis::Section& section : balance::tables(*judged)) {
    if (section.id == "verdict" || section.id == "figures" || !has_values(section)) continue;
    // The verdict and the figures of merit have parts of their own; columns of all references are long.
    auto& place = section.id == "normalised" ? part.folded : part.shown;
    place.push_back(std::move(section));
  }
  return part;
}

}  // namespace steelyard::report
