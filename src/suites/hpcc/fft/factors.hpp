// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::hpcc {

/// n1 n2 = n with n1 the largest divisor of n not above its square root that `multiple` divides, as it must
/// divide n2. Throws std::invalid_argument if there is none.
struct Factors {
  std::int64_t n1 = 1, n2 = 1;
  friend bool operator==(const Factors&, const Factors&) = default;
};
[[nodiscard]] Factors two_factors(std::int64_t n, std::int64_t multiple = 1);

/// Largest number up to `most` that divides n.
[[nodiscard]] std::int64_t largest_divisor(std::int64_t n, std::int64_t most);

}  // namespace steelyard::hpcc
