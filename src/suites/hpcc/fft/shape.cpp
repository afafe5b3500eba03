// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/shape.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
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

std::int64_t part_size(std::int64_t all, std::int64_t pass, std::int64_t length, Form form) {
  constexpr std::int64_t least_parts = 8;
  if (form == Form::base) return all;
  const auto byte = all * length * static_cast<std::int64_t>(sizeof(std::complex<double>));
  const auto most = std::max(least_parts, std::min(byte / piece_byte, all / pass_columns));
  return all / largest_divisor(all / pass, most);
}

std::int64_t part_height(std::int64_t m1, std::int64_t m2, Form form) {
  return part_size(m1, m1 % lanes == 0 ? lanes : 1, m2, form);
}

std::int64_t elements_between(std::int64_t n, std::int64_t processes, Form form) {
  const Factors factors = two_factors(n, processes);
  const std::int64_t m1 = factors.n1 / processes, m2 = factors.n2 / processes;
  return lane_groups(m1, part_height(m1, m2, form)) * lanes * factors.n2;
}

}  // namespace steelyard::hpcc
