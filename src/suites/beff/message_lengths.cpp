// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/message_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace steelyard::beff {
namespace {

constexpr Bytes cap{std::int64_t{128} << 20};
constexpr std::int64_t slots_in_buffer = 6;
constexpr Bytes slot_padding{16};
constexpr double last_fixed = 4096;

}  // namespace

Bytes longest_message(std::int64_t mebibytes_per_process) {
  if (mebibytes_per_process < 1)
    throw std::domain_error("b_eff needs at least 1 Mbyte of memory per process");
  const std::int64_t below_cap = std::min<std::int64_t>(mebibytes_per_process, 128 * 128);
  return std::min(cap, below_cap * Bytes{8192});
}

double growth(Bytes longest) {
  return std::pow(static_cast<double>(longest.count()) / last_fixed, 1.0 / 8.0);
}

Lengths message_lengths(Bytes longest) {
  if (longest.count() <= 4096)
    throw std::domain_error("the longest message must exceed 4096 byte, got " +
                            std::to_string(longest.count()));
  Lengths lengths;
  const double a = growth(longest);
  for (int k = 0; k < length_count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    lengths[at] = k < fixed_lengths
                      ? Bytes{std::int64_t{1} << k}
                      : Bytes{static_cast<std::int64_t>(std::floor(last_fixed * std::pow(a, k - 12) + 0.5))};
  }
  lengths.back() = longest;
  return lengths;
}

Bytes buffer_size(Bytes longest) {
  return slots_in_buffer * (longest + slot_padding);
}

}  // namespace steelyard::beff
