// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/shape.hpp"

/// The matrix, which is stored by rows, and moves of its rows: a row that is moved by columns meets another cache line in
/// every element. One process, no messages.
namespace steelyard::hpcc::hpl {

/// Part of a matrix that is stored by rows, which somebody else owns: element (i, j) at data[i * leading + j].
struct RowMatrix {
  double* data = nullptr;
  std::int64_t leading = 1;
  [[nodiscard]] RowMatrix at(std::int64_t i, std::int64_t j) const {
    return {data + i * leading + j, leading};
  }
  [[nodiscard]] double& operator()(std::int64_t i, std::int64_t j) const { return data[i * leading + j]; }
  /// The same memory as a BLAS routine sees it, by columns: the transposed matrix.
  [[nodiscard]] blas::Out transposed() const { return {data, leading}; }
};

/// Rows of a buffer in either order: element (slot, column) at data[slot * slot_step + column * column_step].
struct RowBuffer {
  double* data = nullptr;
  std::int64_t slot_step = 1, column_step = 1;
  [[nodiscard]] double& operator()(std::int64_t slot, std::int64_t column) const {
    return data[slot * slot_step + column * column_step];
  }
  [[nodiscard]] RowBuffer from(std::int64_t slot) const {
    return {data + slot * slot_step, slot_step, column_step};
  }
};
/// Buffer of rows of n columns, one after the other.
[[nodiscard]] inline RowBuffer by_rows(double* data, std::int64_t n) {
  return {data, n, 1};
}

/// A row of the matrix and a row of the buffer.
struct Pair {
  std::int64_t row = 0, slot = 0;
};

/// buffer(slot, c) <- a(row, c) for c < n.
void take_rows(std::span<const Pair> pairs, std::int64_t n, RowMatrix a, RowBuffer buffer);
/// a(row, c) <- buffer(slot, c).
void put_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, RowMatrix a);
/// Swaps buffer(slot, c) and a(row, c).
void swap_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, RowMatrix a);

/// to(pair.slot, c) <- from(pair.row, c).
void copy_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer from, RowBuffer to);

/// Columns of a matrix that are interchanged together.
inline constexpr std::int64_t columns_interchanged = 64;
/// Does all interchanges of a panel whose rows are all here, in n columns of a: block rows top .. top + width - 1.
/// `scratch`: width doubles for each of columns_interchanged.
void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 RowMatrix a, double* scratch);
/// The same in the columns of another panel. `scratch`: width doubles.
void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 blas::Out a, double* scratch);

}  // namespace steelyard::hpcc::hpl
