// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "suites/hpcc/fft/roots.hpp"
#include "suites/hpcc/fft/transforms.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"

/// The two passes of a transform of length n = n1 n2 with j = j1 n2 + j2, k = k1 + n1 k2; each reads and
/// writes memory once, and what lies between stays in the cache. Complex elements, row by row. Pass 1 stores its result
/// column by column, so that both passes take columns.
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

/// Columns of a matrix that become rows of their own, one beside the other in the cache of second level, to be
/// transformed: a transform runs fastest over elements that lie together.
class TransformedColumns {
 public:
  /// `columns` transforms of length n at a time.
  TransformedColumns(std::int64_t n, std::int64_t columns);
  /// Elements `at` .. at + count - 1 of all columns: element j of column c from in[(j - at) * stride + c].
  void gather(const Complex* in, std::int64_t stride, std::int64_t at, std::int64_t count) const noexcept;
  void transform() const noexcept;
  /// Element k of column c to out[(k - at) * stride + c], past the caches. finish_stores() afterwards.
  void scatter(std::int64_t at, std::int64_t count, Complex* out, std::int64_t stride) const noexcept;

  [[nodiscard]] Complex* column(std::int64_t c) const noexcept { return block_.data() + c * padded_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] std::int64_t length() const { return n_; }

 private:
  std::int64_t n_, columns_, padded_;
  HugeArray<Complex> block_;  // [columns][padded]
  Transforms transforms_;
};

/// Pass 1: transforms of length n1 down columns j2, times exp(-2 pi i j2 k1 / n).
class ColumnPass : public TransformedColumns {
 public:
  /// For matrices whose number of columns `columns` divides.
  ColumnPass(const Factors& factors, std::int64_t columns);
  /// The columns' factors; column 0 is number `first` of the whole matrix.
  void turn(std::int64_t first) noexcept;
  /// Elements `at` .. at + count - 1 of column c with their factors, past the caches. finish_stores() afterwards.
  void store(std::int64_t c, std::int64_t at, std::int64_t count, Complex* to) const noexcept;

 private:
  Roots roots_;
  HugeArray<Complex> twiddles_;  // [columns][n1]: exp(-2 pi i c k1 / n)
  HugeArray<Complex> base_;      // [n1]: exp(-2 pi i first k1 / n)
};

/// Pass 2: transforms of length n2 along rows k1, which are columns of what pass 1 stores.
using RowPass = TransformedColumns;

}  // namespace steelyard::hpcc
