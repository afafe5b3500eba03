// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/partitions.hpp"

#include <cmath>

namespace steelyard::beffio {
namespace {

/// The power of two next to processes^exponent.
int power(int processes, double exponent) {
  return 1 << static_cast<int>(std::lround(exponent * std::log2(processes)));
}

}  // namespace

std::vector<int> default_partitions(int processes) {
  constexpr double small = 0.35, medium = 0.70;
  if (processes == 1) return {1};
  if (processes == 2) return {1, 2};
  if (processes == 3) return {1, 2, 3};
  if (processes == 4) return {2, 3, 4};
  return {power(processes, small), power(processes, medium), processes};
}

}  // namespace steelyard::beffio
