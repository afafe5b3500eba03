// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/shape.hpp"

/// Moves of rows of a column-major matrix. A row meets another cache line in every column: lines are asked
/// for ahead of their use. One process, no messages.
namespace steelyard::hpcc::hpl {

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
void take_rows(std::span<const Pair> pairs, std::int64_t n, blas::Out a, RowBuffer buffer);
/// a(row, c) <- buffer(slot, c).
void put_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, blas::Out a);
/// Swaps buffer(slot, c) and a(row, c).
void swap_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, blas::Out a);

/// to(pair.slot, c) <- from(pair.row, c).
void copy_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer from, RowBuffer to);

/// Does all interchanges of a panel whose rows are all here: block rows top .. top + width - 1 of
/// a. `scratch`: width doubles.
void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 blas::Out a, double* scratch);

}  // namespace steelyard::hpcc::hpl
