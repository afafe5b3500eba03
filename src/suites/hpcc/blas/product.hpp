// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "suites/hpcc/blas/library.hpp"

/// Rates and checks of a library's products of matrices, on one process.
namespace steelyard::hpcc {

/// A rate that was found while the products were checked.
struct CheckedRate {
  double flop_s = 0;
  std::int64_t order = 0;  // of the matrices; smaller for slow libraries
  std::string wrong = {};  // what is wrong with a product; empty if nothing is
};
/// Rate and check of a library that nobody has seen work, in some hundredths of a second. A small product is
/// compared element by element with one of plain loops, the large ones through a vector. Elements of the
/// factors differ by position, and C is NaN before the product. Throws std::bad_alloc.
[[nodiscard]] CheckedRate checked_rate(const BlasLibrary& library, int threads);

}  // namespace steelyard::hpcc
