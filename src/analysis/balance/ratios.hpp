// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analysis/balance/system.hpp"

/// Every ratio of the balance analysis. Sources: b_eff paper, 2 and 5; FTIO paper, 4; HPCC balance paper, 3
/// to 5; the others are our own.
namespace steelyard::balance {

/// Time in which the whole memory is written by the rule of "a coffee cup": half of it in five minutes.
inline constexpr double cup_s = 600;

struct Ratio {
  std::string_view id, unit, title;
  double (*formula)(Reading&) = nullptr;
  bool lower_is_better = false;
};

/// Ratios in the order of tables.
[[nodiscard]] std::span<const Ratio> ratios();
/// Absolute figures that published tables of b_eff and b_eff_io hold, which ranks can be given for.
[[nodiscard]] std::span<const Ratio> published_figures();
/// Ratio of that id; nullptr if there is none.
[[nodiscard]] const Ratio* ratio_named(std::string_view id);

struct RatioValue {
  std::optional<double> value;
  std::vector<Quantity> used, missing;
  std::optional<double> half_width;  // relative
  std::optional<analysis::RelativeInterval> interval = {};
};
[[nodiscard]] RatioValue evaluate(const Ratio& ratio, const Inputs& inputs);

}  // namespace steelyard::balance
