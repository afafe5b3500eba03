// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/sizes.hpp"

/// Matrices of PTRANS, C <- transposed A + C, and the placement of its grid. Pure.
namespace steelyard::hpcc {

enum class Matrix { a, c };

/// Sequence of the elements of a matrix; A runs down its columns, C along its rows. Element k of line l (a
/// column of A, a row of C) is number k + l n. States X_0 = 100 for A, 200 for C; value 1 - 2 X / 2^31.
class PtransSequence {
 public:
  PtransSequence(Matrix matrix, std::int64_t n) : seed_(matrix == Matrix::a ? 100 : 200), n_(n) {}
  /// State of element k of line l: column l of A, row l of C.
  [[nodiscard]] std::uint64_t state(std::int64_t k, std::int64_t line) const {
    return narrow_step.times(static_cast<std::uint64_t>(1 + k + line * n_))(seed_) & mask;
  }
  [[nodiscard]] static constexpr std::uint64_t next(std::uint64_t x) { return narrow_step(x) & mask; }
  [[nodiscard]] static constexpr double value(std::uint64_t x) {
    return 1.0 - static_cast<double>(x) * 0x1p-30;
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 31) - 1;
  std::uint64_t seed_;
  std::int64_t n_;
};

/// World rank at place i + j Q of the grid, for a random placement; the first P Q of them are used.
[[nodiscard]] std::vector<int> random_placement(int world, std::uint64_t seed);

inline constexpr int ptrans_placements = 5;

// Which blocks of A go where when C <- transposed A + C. Pure.

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

/// Route from one rank to another; its lists are empty if no block goes there.
[[nodiscard]] Route route(const GridMatrix& matrix, int from, int to);
/// Routes to every process to which some block goes, the next ones in rank first, itself last; and from every
/// process from which one comes, the previous ones in rank first.
[[nodiscard]] std::vector<Route> routes_from(const GridMatrix& matrix, int rank);
[[nodiscard]] std::vector<Route> routes_to(const GridMatrix& matrix, int rank);

}  // namespace steelyard::hpcc
