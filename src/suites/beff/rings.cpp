// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/rings.hpp"

#include <algorithm>
#include <cstdint>

namespace steelyard::beff {

std::array<int, ring_pattern_count> standard_ring_sizes(int processes) {
  std::array<int, ring_pattern_count> sizes = {
      2, 4, 8, std::max(16, processes / 4), std::max(32, processes / 2), processes};
  for (int& size : sizes) size = std::min(size, processes);
  return sizes;
}

std::vector<int> ring_sizes(int processes, int standard_size) {
  // floor(P / c + 0.4) in whole numbers
  const auto p = static_cast<std::int64_t>(processes);
  const auto c = static_cast<std::int64_t>(standard_size);
  const auto wanted = static_cast<int>((10 * p + 4 * c) / (10 * c));
  const int rings = std::max(1, std::min(wanted, processes / 2));
  const int low = processes / rings;
  const int longer = processes - low * rings;
  std::vector<int> sizes(static_cast<std::size_t>(rings), low);
  const bool longer_first = low % 2 == 1;
  const auto begin = longer_first ? sizes.begin() : sizes.end() - longer;
  std::fill(begin, begin + longer, low + 1);
  return sizes;
}

std::string ring_name(const std::vector<int>& sizes) {
  const int difference = sizes.back() - sizes.front();
  const char* rest = difference == 0 ? "fix" : difference > 0 ? "&+1" : "&-1";
  return "ring-" + std::to_string(sizes.size()) + "*" + std::to_string(sizes.front()) + rest;
}

}  // namespace steelyard::beff
