// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/factors.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace steelyard::hpcc {

std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  for (auto d = std::min(n, most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

Factors two_factors(std::int64_t n, std::int64_t multiple) {
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  for (auto n1 = root / multiple * multiple; n1 >= multiple; n1 -= multiple)
    if (n % n1 == 0 && n / n1 % multiple == 0) return {n1, n / n1};
  throw std::invalid_argument("a length that the number of processes does not divide twice");
}

}  // namespace steelyard::hpcc
