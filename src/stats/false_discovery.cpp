// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "stats/compare.hpp"

namespace steelyard::stats {

std::vector<bool> benjamini_hochberg(std::span<const double> p, double alpha) {
  // p = alpha i / N counts as significant; a last bit of the product must not decide.
  constexpr double rounding = 1 + 1e-12;
  std::vector<double> sorted(p.begin(), p.end());
  std::sort(sorted.begin(), sorted.end());
  std::size_t passed = 0;
  for (std::size_t i = 1; i <= sorted.size(); ++i) {
    const double limit = alpha * static_cast<double>(i) / static_cast<double>(sorted.size());
    if (sorted[i - 1] <= limit * rounding) passed = i;
  }
  std::vector<bool> significant(p.size(), false);
  if (passed == 0) return significant;
  std::transform(p.begin(), p.end(), significant.begin(),
                 [&](double value) { return value <= sorted[passed - 1]; });
  return significant;
}

}  // namespace steelyard::stats
