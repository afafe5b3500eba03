// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "suites/hpcc/blas/library.hpp"

/// What a library makes of a product of matrices, on one process.
namespace steelyard::hpcc {

/// Flop/s of the fastest of some products of matrices of order n. No communication: whoever wants the rate of
/// all processes at once calls it on all of them after a barrier. Throws std::bad_alloc.
[[nodiscard]] double product_flop_s(const BlasLibrary& library, std::int64_t n, int threads);

/// A rate that was found while the products were checked.
struct CheckedRate {
  double flop_s = 0;
  std::int64_t order = 0;  // of the matrices; smaller for slow libraries
  std::string wrong = {};  // what is wrong with a product; empty if nothing is
};
/// Some hundredths of a second of products by a library that nobody has seen work. A small product is
/// compared element by element with one of plain loops, the large ones through a vector; all of matrices
/// whose elements differ by position, into memory that is not a number before. Throws std::bad_alloc.
[[nodiscard]] CheckedRate checked_rate(const BlasLibrary& library, int threads);

}  // namespace steelyard::hpcc
