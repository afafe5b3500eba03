// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analysis/balance/system.hpp"

/// Every ratio of the balance analysis. Source: 000_ea2d91109a99d1ca.txt sections 2 and 5,
/// 003_8b37d3299e4ec872.txt section 4, 004_d8fcc96de81908c2.txt sections 3 to 5; the others are our own.
namespace steelyard::balance {

/// "A coffee cup": half of the memory to the file system in five minutes.
inline constexpr double cup_s = 600;

struct Ratio {
  std::string_view id, unit, title;
  bool lower_is_better = false;
  double (*formula)(Reading&) = nullptr;
};

/// In the order of tables.
[[nodiscard]] std::span<const Ratio> ratios();
/// Absolute figures that published tables of b_eff and b_eff_io hold, which ranks can be given for.
[[nodiscard]] std::span<const Ratio> published_figures();
/// The ratio of that id, or nullptr.
[[nodiscard]] const Ratio* ratio_named(std::string_view id);

struct RatioValue {
  std::optional<double> value;
  std::vector<Quantity> used, missing;
  std::optional<double> half_width;  // relative
};
[[nodiscard]] RatioValue evaluate(const Ratio& ratio, const Inputs& inputs);

}  // namespace steelyard::balance
