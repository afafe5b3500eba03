// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/panel.hpp"
#include "suites/hpcc/hpl/row_exchange.hpp"

namespace steelyard::hpcc::hpl {

/// u (rows of the block in n columns) <- inverse of the block's unit lower triangle times u. `storage`:
/// plain, a row of the block in each row of u; transposed, in each column. Recursive, so that most of it is a
/// product.
void solve_block(const Block& block, std::int64_t n, blas::Out u, Storage storage);

/// Brings trailing columns up to date with a panel: interchanges, triangular solve, product.
class Update {
 public:
  /// Looks after a message on its way; true when nothing is on its way any more.
  using Progress = std::function<bool()>;

  /// `column`: the processes of this process column, outlives this. Throws std::bad_alloc.
  Update(const mpi::Communicator& column, const Shape& shape, const Variant& variant);

  /// Collective over the column. Local columns panel.next .. to - 1 of the matrix; in slices of a block's
  /// width with a look at the message between them, the rest at once when it is through. Throws mpi::Error.
  void run(Panel& panel, const Interchanges& interchanges, blas::Out matrix, std::int64_t to,
           const Progress& progress);

 private:
  void bring_rows(const Panel& panel, const Interchanges& interchanges, blas::Out a, std::int64_t n,
                  const Progress& progress);
  void slice(const Panel& panel, const Interchanges& interchanges, blas::Out a, std::int64_t first,
             std::int64_t n);
  [[nodiscard]] blas::Out u_at(const Panel& panel, blas::Out a, std::int64_t first) const;
  [[nodiscard]] bool alone() const { return shape_.grid.rows == 1; }

  Shape shape_;
  Variant variant_;
  Storage u_storage_;
  HugeArray<double> u_, packed_;
  RowBuffer u_rows_;
  std::vector<double> scratch_;
  BinaryExchange binary_exchange_;
  SpreadRoll spread_roll_;
};

}  // namespace steelyard::hpcc::hpl
