// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "suites/hpcc/foundation/huge_memory.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// The block of pivot rows of a panel, U on and above the diagonal, unit L below, in either order.
struct Block {
  double* data = nullptr;
  std::int64_t width = 1;
  Storage storage = Storage::plain;

  [[nodiscard]] std::int64_t row_step() const { return storage == Storage::plain ? 1 : width; }
  [[nodiscard]] std::int64_t column_step() const { return storage == Storage::plain ? width : 1; }
  [[nodiscard]] double& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_step() + j * column_step()];
  }
  /// What a BLAS routine must do to see the block as it is meant, from element (i, j) on.
  [[nodiscard]] blas::Op op() const {
    return storage == Storage::plain ? blas::Op::plain : blas::Op::transposed;
  }
  [[nodiscard]] blas::Out at(std::int64_t i, std::int64_t j) const { return {&(*this)(i, j), width}; }
};

/// A factored panel as it travels: the rows under the block, the block, the pivots, the missing pivot.
class Panel {
 public:
  Panel() = default;
  /// Memory for every panel of the shape. `in_place`: the rows under the block stay in the matrix and do not
  /// belong to the message. Throws std::bad_alloc.
  Panel(const Shape& shape, bool in_place);

  /// Becomes panel k; `rows`: those under the block where they stay in the matrix.
  void become(const Shape& shape, std::int64_t k, Storage l1, blas::Out rows);

  [[nodiscard]] const PanelShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t index() const { return index_; }
  [[nodiscard]] const Block& block() const { return block_; }
  [[nodiscard]] blas::Out rows() const { return rows_; }
  /// Global rows of the pivots.
  [[nodiscard]] std::span<double> pivots() const { return {pivots_, static_cast<std::size_t>(shape_.width)}; }
  /// Number of its first column, counted from 1, in which no row had anything but zeros; 0 where all had.
  [[nodiscard]] double& missing_pivot() const { return pivots_[shape_.width]; }
  [[nodiscard]] double* message() const { return memory_.data(); }
  [[nodiscard]] std::int64_t length() const;

  /// Local column from which on the update is still to be done.
  std::int64_t next = 0;

 private:
  HugeArray<double> memory_;
  bool in_place_ = false;
  std::int64_t index_ = -1;
  PanelShape shape_;
  Block block_;
  blas::Out rows_;
  double* pivots_ = nullptr;
};

}  // namespace steelyard::hpcc::hpl
