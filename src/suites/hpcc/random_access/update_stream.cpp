// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/update_stream.hpp"

#include <algorithm>
#include <stdexcept>

namespace steelyard::hpcc {
namespace {

/// Product of two polynomials modulo X^64 + X^2 + X + 1.
std::uint64_t polynomial_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  for (; b != 0; b >>= 1, a = Polynomial::next(a))
    if ((b & 1U) != 0) sum ^= a;
  return sum;
}

}  // namespace

std::uint64_t Polynomial::at(std::int64_t k) {
  k %= period;
  if (k < 0) k += period;
  std::uint64_t result = 1, square = 2;
  for (; k != 0; k /= 2) {
    if (k % 2 == 1) result = polynomial_product(result, square);
    square = polynomial_product(square, square);
  }
  return result;
}

std::uint64_t Congruential::at(std::int64_t k) {
  return wide_step.times(static_cast<std::uint64_t>(k))(1);
}

TableParts::TableParts(int bits, int processes) : bits_(bits), processes_(processes) {
  if (bits < 0 || bits > 60 || processes < 1 || (std::int64_t{1} << bits) < processes)
    throw std::invalid_argument("a table must have at least one word per process");
  words_ = std::int64_t{1} << bits;
  short_ = words_ / processes;
  longer_parts_ = words_ % processes;
  longer_words_ = longer_parts_ * (short_ + 1);
}

std::int64_t TableParts::start(int rank) const {
  return rank * short_ + std::min<std::int64_t>(rank, longer_parts_);
}

}  // namespace steelyard::hpcc
