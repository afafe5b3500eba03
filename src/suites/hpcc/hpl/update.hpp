// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/block_solver.hpp"
#include "suites/hpcc/hpl/panel.hpp"
#include "suites/hpcc/hpl/row_exchange.hpp"
#include "suites/hpcc/hpl/timeline.hpp"

namespace steelyard::hpcc::hpl {

/// What an update needs of a panel.
struct Factors {
  const Interchanges& interchanges;
  BlockSolver& solver;
};

/// Brings trailing columns up to date with a panel: interchanges, triangular solve, product.
class Update {
 public:
  /// Looks after a message on its way; true when nothing is on its way any more.
  using Progress = std::function<bool()>;

  /// `column`: the processes of this process column; it and the routines outlive this. Throws std::bad_alloc.
  Update(const mpi::Communicator& column, const Shape& shape, const Variant& variant,
         const blas::Routines& routines);

  /// Collective over the column. Local columns panel.next .. to - 1 of the matrix; in slices of a block's
  /// width with a look at the message between them, the rest at once when it is through. Throws mpi::Error.
  void run(Panel& panel, const Factors& factors, blas::Out matrix, std::int64_t to, const Progress& progress);

  void record_in(Timeline* timeline) { timeline_ = timeline; }

 private:
  void bring_rows(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t n,
                  const Progress& progress);
  void slice(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t first, std::int64_t n);
  void bring_u(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t first, std::int64_t n);
  [[nodiscard]] blas::Out u_at(const Panel& panel, blas::Out a, std::int64_t first) const;
  [[nodiscard]] bool all_through(const Progress& progress);
  [[nodiscard]] bool alone() const { return shape_.grid.rows == 1; }

  const blas::Routines* blas_;
  Timeline* timeline_ = nullptr;
  Shape shape_;
  Variant variant_;
  Storage u_storage_;
  HugeArray<double> u_, packed_;
  RowBuffer u_rows_;
  std::vector<Pair> block_rows_;
  std::vector<double> scratch_;
  BinaryExchange binary_exchange_;
  SpreadRoll spread_roll_;
};

}  // namespace steelyard::hpcc::hpl
