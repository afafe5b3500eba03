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

struct Method {
  int number = 0;
  std::string name;
};

/// One row per pattern of one group of columns.
struct Group {
  std::vector<const Averaged*> columns;
  const Averaged* result = nullptr;  // printed behind the columns, per process and accumulated
  std::optional<Method> method;      // whose values these are; the table has several groups then
  /// Of a row, printed before the columns; empty = the table has none.
  std::function<std::optional<double>(std::size_t pattern)> latency_s = {};
};

/// One row per pattern; where there are several groups the pattern's name and a row per group below it. Then
/// the averages of each group.
[[nodiscard]] std::string table(const analysis::BeffRun& run, const std::vector<std::string>& names,
                                const std::vector<Group>& groups);

}  // namespace steelyard::formats::beff
