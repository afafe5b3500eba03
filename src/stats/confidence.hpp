// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Two-sided confidence of 95 %.
namespace steelyard::stats {

/// The share beyond either end.
inline constexpr double tail95 = 0.025;

/// Its quantile of the normal distribution, to two decimals as in the tables.
inline constexpr double z95 = 1.96;

}  // namespace steelyard::stats
