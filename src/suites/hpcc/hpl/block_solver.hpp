// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/hpcc/hpl/panel.hpp"

namespace steelyard::hpcc::hpl {

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
