// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fourier/radix_passes.hpp"
#include "fourier/transforms.hpp"
#include "machine/pages.hpp"
#include "suites/hpcc/fft/shape.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {

using fourier::Complex;

static_assert(lanes == line_width);
/// Cells that keep rows of them apart.
inline constexpr std::int64_t pass_padding = 1;
/// One element of eight transforms: all real parts, all imaginary parts.
struct alignas(64) LaneCell {
  double re[lanes], im[lanes];
};

/// The memory of cells, for what is no cell.
[[nodiscard]] inline std::span<Complex> elements_of(std::span<LaneCell> cells) noexcept {
  return {reinterpret_cast<Complex*>(cells.data()), cells.size() * lanes};
}

/// Forward transforms of length n = a b of eight columns at once, one in each lane, in two rounds of
/// short transforms that stay in the cache of first level. For elements j = q + b p: b transforms of
/// length a over p, factors exp(-2 pi i q k / n), then a transforms of length b over q, which give
/// elements k + a k2 of the result.
class LaneTransforms {
 public:
  /// Throws std::bad_alloc, std::invalid_argument for a length that is no product of 2, 3 and 5.
  explicit LaneTransforms(std::int64_t n);
  /// Cells that run() takes: one row for each p.
  [[nodiscard]] std::int64_t cells() const { return a_ * row(); }
  /// Cells of a row: more than b, so that rows do not share their cache sets.
  [[nodiscard]] std::int64_t row() const { return b_ + pass_padding; }
  /// Transforms the cells in place. Not from two threads at once.
  void run(LaneCell* cells) const noexcept;

  // The two rounds, inlined into their callers: of the lanes from `lane` on that a register V holds.

  /// First round; from(q): view of elements q + b p over p.
  template <class V, class From>
  void first_round(LaneCell* cells, std::int64_t lane, const From& from) const noexcept;
  /// Transform k of the second round, in place: elements k + a k2 of the result, which line(cells, k) finds.
  template <class V>
  void second_round(LaneCell* cells, std::int64_t lane, std::int64_t k) const noexcept;
  [[nodiscard]] LaneCell* line(LaneCell* cells, std::int64_t k) const { return cells + k * row(); }
  [[nodiscard]] std::int64_t lines() const { return a_; }
  [[nodiscard]] std::int64_t line_cells() const { return b_; }

  /// Cursor over the cells in the order of the elements that go in.
  class Entry {
   public:
    Entry(const LaneTransforms& all, std::int64_t at)
        : b_(all.b_), q_(at % b_), cell_(at / b_ * all.row() + q_) {}
    [[nodiscard]] std::int64_t cell() const { return cell_; }
    void next() {
      ++cell_;
      if (++q_ < b_) return;
      q_ = 0;
      cell_ += pass_padding;
    }

   private:
    std::int64_t b_, q_, cell_;
  };

  /// Cursor over the cells in the order of the elements of the result.
  class Exit {
   public:
    Exit(const LaneTransforms& all, std::int64_t at)
        : row_(all.row()), all_(all.cells()), cell_(at % all.a_ * row_ + at / all.a_) {}
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
  std::vector<Complex> twiddles_;      // [b][a]: exp(-2 pi i q k / n)
  machine::HugeArray<LaneCell> work_;  // two arrays for the longer of the short transforms
};

// The two passes of a transform of length n = n1 n2 with j = j1 n2 + j2, k = k1 + n1 k2; each reads and
// writes memory once, and what lies between stays in the cache. Complex elements, row by row. Pass 1 stores
// its result as pass 2 reads it: cells of eight rows k1, one for each j2, so that nothing is gathered twice.

/// Copies elements that nobody reads soon. finish_stores() must follow.
void copy_past_caches(const Complex* from, std::int64_t count, Complex* to) noexcept;

/// Pass 1: transforms of length n1 down columns j2, times exp(-2 pi i j2 k1 / n). Columns of a matrix are
/// transformed in the caches, eight to a group.
class ColumnPass {
 public:
  /// Pass over matrices whose number of columns `columns` divides. Throws like LaneTransforms.
  ColumnPass(const Factors& factors, std::int64_t columns);
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  /// Loads elements `at` .. at + count - 1 of all columns: element j of column c from
  /// in[(j - at) * stride + c].
  void gather(const Complex* in, std::int64_t stride, std::int64_t at, std::int64_t count) const noexcept;
  void transform() const noexcept;
  /// Sets the columns' factors; column 0 is number `first` of the whole matrix.
  void turn(std::int64_t first) noexcept;
  /// Stores `count` elements of all columns from `at` on, past the caches: element k of column c, with its
  /// factor, to lane (k - at) % 8 of out[(k - at) / 8 * stride + c]. finish_stores() must follow.
  void store(std::int64_t at, std::int64_t count, LaneCell* out, std::int64_t stride) const noexcept;

 private:
  /// Factors exp(-2 pi i j2 k1 / n) = coarse[k1 / step] fine[k1 % step], each for
  /// the eight columns of a group.
  struct Turns {
    Turns(std::int64_t step, std::int64_t n1);
    std::int64_t step;
    std::vector<LaneCell> coarse, fine;

    /// Cursor over the two factors of one k1 after the other.
    class FactorCursor {
     public:
      FactorCursor(const Turns& turns, std::int64_t k1)
          : turns_(turns), high_(k1 / turns.step), low_(k1 % turns.step) {}
      [[nodiscard]] const LaneCell& coarse() const { return turns_.coarse[static_cast<std::size_t>(high_)]; }
      [[nodiscard]] const LaneCell& fine() const { return turns_.fine[static_cast<std::size_t>(low_)]; }
      void next() {
        if (++low_ < turns_.step) return;
        low_ = 0;
        ++high_;
      }

     private:
      const Turns& turns_;
      std::int64_t high_, low_;
    };
  };
  void store_group(std::int64_t g, std::int64_t at, std::int64_t count, LaneCell* out,
                   std::int64_t stride) const noexcept;
  [[nodiscard]] std::int64_t groups() const { return lane_groups(columns_); }
  [[nodiscard]] LaneCell* group(std::int64_t g) const noexcept {
    return block_.data() + g * transforms_.cells();
  }

  std::int64_t n_, columns_;
  LaneTransforms transforms_;
  machine::HugeArray<LaneCell> block_;  // [groups][cells]
  fourier::Roots roots_;
  Turns first_columns_;  // of columns 0 to 7 of the whole matrix
  std::vector<Turns> by_group_;
};

/// Pass 2: transforms of length n2 along rows k1, up to eight at a time.
class RowPass {
 public:
  /// Cells that pass 1 stored: j2 at first[j2 / width * distance + j2 % width].
  struct Tiles {
    const LaneCell* first;
    std::int64_t width, distance;
  };
  /// Where the first row's elements k2 of one of several equal parts of n2 go: the first of them, and how far
  /// the next one is. Those of the other rows follow each.
  struct Place {
    Complex* first;
    std::int64_t stride;
  };
  /// Throws like LaneTransforms.
  explicit RowPass(std::int64_t n2);
  /// Transforms `rows` rows, the first lanes of the cells, and stores them past the caches, what goes to one
  /// place after the other. finish_stores() must follow. Not from two threads at once.
  void run(const Tiles& from, std::int64_t rows, std::span<const Place> to) const noexcept;

 private:
  std::int64_t n2_;
  LaneTransforms transforms_;
  machine::HugeArray<LaneCell> block_;
};

}  // namespace steelyard::hpcc
