// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "suites/hpcc/hpl/options.hpp"
#include "suites/hpcc/sizes.hpp"

/// Layout of [A|b], N rows and N + 1 columns, on a grid of processes. Pure.
namespace steelyard::hpcc::hpl {

struct Place {
  int row = 0, column = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
[[nodiscard]] Place place_of(int rank, const Grid& grid, Mapping mapping);

/// The part of one process.
struct Shape {
  std::int64_t n = 0, nb = 1;
  Grid grid;
  Place at;
  int alignment = 8;

  [[nodiscard]] BlockCyclic rows() const { return {n, nb, grid.rows}; }
  [[nodiscard]] BlockCyclic columns() const { return {n + 1, nb, grid.columns}; }
  /// Own rows and columns whose global index is below g.
  [[nodiscard]] std::int64_t rows_before(std::int64_t g) const {
    return BlockCyclic{g, nb, grid.rows}.count(at.row);
  }
  [[nodiscard]] std::int64_t columns_before(std::int64_t g) const {
    return BlockCyclic{g, nb, grid.columns}.count(at.column);
  }
  [[nodiscard]] std::int64_t local_rows() const { return rows_before(n); }
  /// Local columns; b is one of them where it lives.
  [[nodiscard]] std::int64_t local_columns() const { return columns_before(n + 1); }
  /// Distance of rows: the smallest multiple of the alignment that holds one and is not a power of two.
  [[nodiscard]] std::int64_t leading() const;
};

[[nodiscard]] Shape shape_of(const Variant& variant, int rank);
/// The shape with blocks so many times as wide.
[[nodiscard]] Shape widened(Shape shape, std::int64_t times);

/// Column block k, of which all rows from its diagonal on are factored together, as one process sees it.
struct PanelShape {
  std::int64_t first = 0;              // global row and column of its first diagonal element
  std::int64_t width = 0;              // jb
  Place owner;                         // of the diagonal block
  std::int64_t top = 0, below = 0;     // local rows before the block's and before those under it
  std::int64_t rows = 0;               // local rows under the block
  std::int64_t column = 0, right = 0;  // local columns before the panel's and before those right of it
  [[nodiscard]] std::int64_t end() const { return first + width; }
};
[[nodiscard]] std::int64_t panels(const Shape& shape);
[[nodiscard]] PanelShape panel_shape(const Shape& shape, std::int64_t k);

/// Distance of a panel's columns where they are kept apart from the matrix: whole cache lines, and no
/// multiple of 512 byte, with which the elements of a row would meet in few sets of a cache. 0 for no rows.
[[nodiscard]] std::int64_t panel_leading(std::int64_t rows);
/// Doubles before the block in every column of a panel: a cache line.
inline constexpr std::int64_t panel_head = 8;
/// Most doubles that a panel takes.
[[nodiscard]] std::int64_t panel_length(const Shape& shape);
/// Most doubles that its block takes alone, without the rows under it.
[[nodiscard]] std::int64_t block_length(const Shape& shape);

/// Panels that trailing columns get at once, in one product of their widths together. One if rows are in
/// several process rows or more than one panel of look-ahead is asked for. Else, unless the variant says it,
/// as many as do not exceed 384 columns, four at most, and leave twelve groups for every process column.
[[nodiscard]] int panels_at_once(const Variant& variant);

/// Panels that a process keeps at the same time, those that are applied and those on their way ahead of them.
[[nodiscard]] std::int64_t panel_slots(const Variant& variant);

/// Most bytes that a process takes for its part and its buffers.
[[nodiscard]] std::int64_t memory_byte(const Variant& variant);

/// Generates the own rows of a column of [A|b].
void generate_column(const Shape& shape, std::int64_t global_column, double* to);

// The row interchanges of a panel, all of them together. Pure.

/// A row under the block that is a pivot: its content ends in the block, and a row of the block ends there.
struct Coming {
  std::int64_t row = 0;        // local to its process row
  std::int64_t slot = 0;       // row of the block where its content ends
  std::int64_t displaced = 0;  // row of the block whose content it gets
};
/// A row of the block whose content stays in the block.
struct Staying {
  std::int64_t slot = 0, from = 0;
};

struct Interchanges {
  std::vector<std::vector<Coming>> coming;  // of each process row, ascending
  std::vector<Staying> staying;
};

/// Composes the interchanges of rows panel.first + i and pivots[i] >= panel.first + i, in the order of i.
[[nodiscard]] Interchanges compose(const Shape& shape, const PanelShape& panel,
                                   std::span<const double> pivots);

}  // namespace steelyard::hpcc::hpl
