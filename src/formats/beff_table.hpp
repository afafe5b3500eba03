// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/beff_run.hpp"

/// The tables of patterns of b_eff: a row per pattern, then averages of rings and of polygons. Of this room
/// alone.
namespace steelyard::formats::beff {

using Averaged = analysis::EffectiveBandwidth::Averaged;

/// One row per pattern of one group of columns.
struct Group {
  std::vector<const Averaged*> columns;
  const Averaged* result = nullptr;  // printed behind the columns, per process and accumulated
  std::string label;                 // of rows, instead of the pattern's name
  /// Of a row, printed before the columns; empty = the table has none.
  std::function<std::optional<double>(std::size_t pattern)> latency_s = {};
};

/// One row per pattern and group, the groups of a pattern one below the other; then the averages of each
/// group.
[[nodiscard]] std::string table(const analysis::BeffRun& run, const std::vector<std::string>& names,
                                const std::vector<Group>& groups);

}  // namespace steelyard::formats::beff
