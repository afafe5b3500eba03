// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Student's t: the normal distribution with a spread that was estimated from few values.
namespace steelyard::stats {

/// The share beyond either end.
inline constexpr double tail95 = 0.025;

/// Its quantile of the normal distribution, to two decimals as in the tables.
inline constexpr double z95 = 1.96;

/// Probability that |T| exceeds |t|. freedom >= 1.
[[nodiscard]] double student_two_sided(double t, std::size_t freedom);

/// t that |T| exceeds with probability 0.05, the two tails of an interval of 95 %. freedom >= 1.
[[nodiscard]] double student95(std::size_t freedom);

}  // namespace steelyard::stats
