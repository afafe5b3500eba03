// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/hpcc/block_cyclic.hpp"
#include "suites/hpcc/sizes.hpp"

/// Which blocks of A go where when C <- transposed A + C. Pure.
namespace steelyard::hpcc {

/// A square matrix of order n in blocks of nb over a grid whose process (i, j) has rank i Q + j.
struct GridMatrix {
  std::int64_t n = 0, nb = 1;
  Grid grid;

  [[nodiscard]] BlockCyclic rows() const { return {n, nb, grid.rows}; }
  [[nodiscard]] BlockCyclic columns() const { return {n, nb, grid.columns}; }
  [[nodiscard]] int row_of(int rank) const { return rank / grid.columns; }
  [[nodiscard]] int column_of(int rank) const { return rank % grid.columns; }
  [[nodiscard]] std::int64_t local_rows(int rank) const { return rows().count(row_of(rank)); }
  [[nodiscard]] std::int64_t local_columns(int rank) const { return columns().count(column_of(rank)); }
};

/// Blocks (bi, bj) of A that one process holds and another needs as (bj, bi) of C: all pairs of the two
/// lists, ascending. A slab is one bi with all bj: size(bi) columns of `height` elements.
struct Route {
  int partner = 0;
  std::vector<std::int64_t> row_blocks;     // bi
  std::vector<std::int64_t> column_blocks;  // bj
  std::int64_t height = 0;                  // elements of all bj together
};

/// From `from` to `to`; empty lists where nothing goes.
[[nodiscard]] Route route(const GridMatrix& matrix, int from, int to);
/// To every process to which something goes, the next ones in rank first, itself last; and from every one,
/// the previous ones in rank first.
[[nodiscard]] std::vector<Route> routes_from(const GridMatrix& matrix, int rank);
[[nodiscard]] std::vector<Route> routes_to(const GridMatrix& matrix, int rank);

}  // namespace steelyard::hpcc
