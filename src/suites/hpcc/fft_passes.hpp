// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "suites/hpcc/huge_memory.hpp"
#include "suites/hpcc/roots.hpp"
#include "suites/hpcc/transforms.hpp"

/// The two passes of a transform of length n = n1 n2 with j = j1 n2 + j2, k = k1 + n1 k2; each reads and
/// writes memory once, and what lies between stays in the cache. Complex elements, row by row.
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

/// Pass 1: transforms of length n1 down columns j2, times exp(-2 pi i j2 k1 / n).
class ColumnPass {
 public:
  /// For matrices whose number of columns `columns` divides.
  ColumnPass(const Factors& factors, std::int64_t columns);
  /// Columns first .. first + columns - 1 of the whole matrix; `in` and `out` point to the first one's top.
  void run(const Complex* in, std::int64_t in_stride, Complex* out, std::int64_t out_stride,
           std::int64_t first) const noexcept;
  [[nodiscard]] std::int64_t columns() const { return columns_; }

 private:
  void gather(const Complex* in, std::int64_t stride) const noexcept;
  void scatter(Complex* out, std::int64_t stride, std::int64_t first) const noexcept;

  Factors factors_;
  std::int64_t columns_;
  Roots roots_;
  HugeArray<Complex> block_;     // [n1][columns]
  HugeArray<Complex> twiddles_;  // [n1][columns]: exp(-2 pi i c k1 / n)
  Transforms transforms_;
};

/// Where a row of n2 elements lies: in pieces of equal length, one after the other.
struct Pieces {
  const Complex* first = nullptr;
  std::int64_t length = 0;      // of a piece
  std::int64_t distance = 0;    // from piece to piece
  std::int64_t row_stride = 0;  // from row to row
};

/// Pass 2: transforms of length n2 along rows k1, transposed on the way out.
class RowPass {
 public:
  RowPass(std::int64_t n2, std::int64_t rows);
  /// `rows` rows from `in`; element k2 of row r goes to out[k2 * out_stride + r].
  void run(const Pieces& in, Complex* out, std::int64_t out_stride) const noexcept;
  [[nodiscard]] std::int64_t rows() const { return rows_; }

 private:
  void gather(const Pieces& in) const noexcept;
  void scatter(Complex* out, std::int64_t stride) const noexcept;

  std::int64_t n2_, rows_, padded_;
  HugeArray<Complex> block_;       // [rows][padded]
  HugeArray<Complex> transposed_;  // [n2][rows]
  Transforms transforms_;
};

/// Moves `count` elements past the caches where they fill whole lines. finish_stores() afterwards.
void move_past_caches(Complex* to, const Complex* from, std::int64_t count) noexcept;

}  // namespace steelyard::hpcc
