// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fourier/radix_passes.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {

using fourier::Complex;

/// One element of eight transforms: all real parts, all imaginary parts.
using LaneCell = fourier::Cell<Line>;
inline constexpr std::int64_t lanes = 8;

/// Forward transforms of length n = a b of eight columns at once, one in each lane, in two rounds of short
/// transforms that stay in the cache of first level: element j = q + b p; b transforms of length a over p,
/// times exp(-2 pi i q k / n), a transforms of length b over q; element k + a k2 of the result.
class LaneTransforms {
 public:
  /// Throws std::bad_alloc, std::invalid_argument for a length that is no product of 2, 3 and 5.
  explicit LaneTransforms(std::int64_t n);
  /// Cells that run() takes: one row of b + 1 for each p, so that rows do not share their cache sets.
  [[nodiscard]] std::int64_t cells() const { return a_ * (b_ + 1); }
  /// In place. Not from two threads at once.
  void run(LaneCell* cells) const noexcept;

  /// Goes from cell to cell in the order of the elements that go in.
  class Entry {
   public:
    Entry(const LaneTransforms& all, std::int64_t at) : b_(all.b_), q_(at % b_), cell_(at + at / b_) {}
    [[nodiscard]] std::int64_t cell() const { return cell_; }
    void next() {
      ++cell_;
      if (++q_ < b_) return;
      q_ = 0;
      ++cell_;
    }

   private:
    std::int64_t b_, q_, cell_;
  };

  /// The same for the elements of the result.
  class Exit {
   public:
    Exit(const LaneTransforms& all, std::int64_t at)
        : row_(all.b_ + 1), all_(all.cells()), cell_(at % all.a_ * row_ + at / all.a_) {}
    [[nodiscard]] std::int64_t cell() const { return cell_; }
    void next() {
      cell_ += row_;
      if (cell_ >= all_) cell_ -= all_ - 1;
    }

   private:
    std::int64_t row_, all_, cell_;
  };

 private:
  std::int64_t a_, b_;
  std::vector<fourier::RadixPass> first_, second_;
  std::vector<Complex> twiddles_;  // [b][a]: exp(-2 pi i q k / n)
  HugeArray<LaneCell> work_;       // two arrays for the longer of the short transforms
};

}  // namespace steelyard::hpcc
