// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "machine/pages.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// The block of pivot rows of a panel, U on and above the diagonal, unit L below, in either order.
struct Block {
  double* data = nullptr;
  std::int64_t width = 1;
  std::int64_t leading = 1;
  Storage storage = Storage::plain;

  [[nodiscard]] std::int64_t row_step() const { return storage == Storage::plain ? 1 : leading; }
  [[nodiscard]] std::int64_t column_step() const { return storage == Storage::plain ? leading : 1; }
  [[nodiscard]] double& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_step() + j * column_step()];
  }
  /// Operation with which a BLAS routine sees the block as it is meant; at(): its elements from (i, j) on.
  [[nodiscard]] blas::Op op() const {
    return storage == Storage::plain ? blas::Op::plain : blas::Op::transposed;
  }
  [[nodiscard]] blas::Out at(std::int64_t i, std::int64_t j) const { return {&(*this)(i, j), leading}; }
};

/// A factored panel as it travels. Each column holds its pivot, the missing pivot, the block and the rows
/// under it. Panels of a group lie behind each other as the columns of one matrix, so that the rows under the
/// last block are the same rows in all of them.
class Panel {
 public:
  Panel() = default;
  /// Memory for every group of `together` panels of the shape, of which this is the first. Throws std::bad_alloc.
  Panel(const Shape& shape, int together);
  /// A panel alone, in memory that outlives it.
  explicit Panel(double* memory) : data_(memory) {}
  /// Memory for one that becomes all of a group, whose rows under the block stay where they are. Throws
  /// std::bad_alloc.
  [[nodiscard]] static Panel of_all(const Shape& widened);
  /// The panel after `before` in the same group.
  [[nodiscard]] static Panel behind(const Panel& before);

  /// Becomes panel k.
  void become(const Shape& shape, std::int64_t k, Storage l1);
  /// Becomes one panel as wide as all of a group together. The panels of the group follow each other, all
  /// their rows are here, and the rows of each have been interchanged by the pivots of those after it. Their
  /// rows under the last block are used where they are; the blocks are copied.
  void become_all(std::span<const Panel* const> group);

  [[nodiscard]] const PanelShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t index() const { return index_; }
  [[nodiscard]] const Block& block() const { return block_; }
  [[nodiscard]] blas::Out rows() const { return rows_; }
  /// Global row of the pivot of a column.
  [[nodiscard]] double& pivot(std::int64_t column) const { return columns_[column * leading_]; }
  [[nodiscard]] std::vector<double> pivots() const;
  /// Number, counted from 1, of the first column of the panel in which every row
  /// had zero; 0 if there is none.
  [[nodiscard]] double& missing_pivot() const { return columns_[1]; }
  [[nodiscard]] double* message() const { return columns_; }
  [[nodiscard]] std::int64_t length() const { return leading_ * shape_.width; }

  /// Local column from which on the update is still to be done.
  std::int64_t next = 0;

 private:
  std::shared_ptr<machine::HugeArray<double>> memory_;  // where it is its own
  double* data_ = nullptr;
  int place_ = 0;  // in its group
  std::int64_t index_ = -1, leading_ = 0;
  PanelShape shape_;
  double* columns_ = nullptr;
  Block block_;
  blas::Out rows_;
};

/// Columns for which a triangle is solved at once: their rows of U stay in the cache of second level.
inline constexpr std::int64_t columns_in_cache = 256;

/// The triangular solve of an update, made of products: the unit lower triangle of a block is split until its
/// parts are small, and those are inverted once for all columns. Libraries solve for few right-hand sides at
/// a fraction of the speed at which they multiply.
class BlockSolver {
 public:
  /// Prepares for this block; it and the routines must outlive the calls of solve().
  void become(const Block& block, const blas::Routines& routines);

  /// Computes u <- inverse of the triangle times u, of which u holds the rows of the block in n columns.
  /// `storage`: plain, a row of the block in each row of u; transposed, in each column.
  void solve(std::int64_t n, blas::Out u, Storage storage);

 private:
  struct Leaf {
    std::int64_t first = 0, depth = 0;
    std::vector<double> inverse;
  };

  void split(std::int64_t first, std::int64_t depth);
  void recurse(std::int64_t first, std::int64_t depth, std::int64_t n, blas::Out u, Storage storage);
  void multiply(const Leaf& leaf, std::int64_t n, blas::Out u, Storage storage);

  const blas::Routines* blas_ = nullptr;
  Block block_;
  std::vector<Leaf> leaves_;
  std::size_t next_leaf_ = 0;
  std::vector<double> copy_;
};

}  // namespace steelyard::hpcc::hpl
