// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Student's t: the normal distribution with a spread that was estimated from few values.
namespace steelyard::stats {

/// Probability that |T| exceeds |t|. freedom >= 1.
[[nodiscard]] double student_two_sided(double t, std::size_t freedom);

/// t that |T| exceeds with probability 0.05, the two tails of an interval of 95 %. freedom >= 1.
[[nodiscard]] double student95(std::size_t freedom);

}  // namespace steelyard::stats
