// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// Systems of different size side by side, every column over its best. Source: 004_d8fcc96de81908c2.txt
/// section 5.
namespace steelyard::balance {

/// What results are divided by before columns are compared.
enum class Normalise { hpl, peak, process, none };

struct NormalisedColumn {
  std::string key, title, unit;
  std::vector<std::optional<double>> values;    // one per system
  std::vector<std::optional<double>> relative;  // over the best; all absent where the column is empty
  std::optional<std::size_t> best;              // system with the largest value
  bool only_value = false;
};
/// The nine columns in their order, then those of I/O where any system has them. Values whose verification
/// failed are left out, and those of one node from network columns unless every system is on one node.
[[nodiscard]] std::vector<NormalisedColumn> normalised_columns(std::span<const System> systems, Normalise by);

}  // namespace steelyard::balance
