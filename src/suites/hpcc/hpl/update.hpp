// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/panel.hpp"
#include "suites/hpcc/hpl/row_exchange.hpp"
#include "suites/hpcc/hpl/shared_rows.hpp"
#include "suites/hpcc/hpl/timeline.hpp"

namespace steelyard::hpcc::hpl {

/// How far an update has come: whether its columns have U, and the first row under the block of its next product.
struct Position {
  bool solved = false;
  std::int64_t row = 0;
};

/// A panel, and what trailing columns need of it: its interchanges and its triangular solver.
struct Factors {
  Panel panel;
  Interchanges interchanges;
  BlockSolver solver;
  Position place;  // in an update from panel.next on that was left

  /// Derives the others from the panel, once it is here.
  void derive(const Shape& shape, const blas::Routines& routines);
};

/// Result of a look at messages between two slices of an update: some are under way, none is any more, or one
/// brought work to be done before the next slice.
enum class Found { under_way, nothing, work };

/// Update of trailing columns by a panel: interchanges, triangular solve, product.
class Update {
 public:
  using Look = std::function<Found()>;

  /// `column`: the processes of this process column; it, their memory and the routines must outlive
  /// this. Throws std::bad_alloc.
  Update(const mpi::Communicator& column, ColumnMemory& shared, SharedRows& rows, const Shape& shape,
         const Variant& variant, const blas::Routines& routines);

  /// Updates local columns panel.next .. to - 1 of the matrix, with a look before each product: of some rows while
  /// messages are on their way, of all that are left when none is. Returns early if a look finds work, which only
  /// happens with one process row: panel.next is less than `to` then, and the next call has to be for the same
  /// columns. With several process rows the rows of some columns travel while others are multiplied. Collective over
  /// the column. Throws mpi::Error.
  void run(Factors& factors, RowMatrix matrix, std::int64_t to, const Look& look);

  /// Does some rows of a product that another process offers while this one waits; returns whether there were any.
  bool help();
  /// Whether another process offers rows.
  [[nodiscard]] bool can_help() const;

  void record_in(Timeline* timeline) { timeline_ = timeline; }

 private:
  /// n columns from a on, whose rows travel together, and U where it is not in the matrix.
  struct Strip {
    RowMatrix a;
    std::int64_t n = 0;
    RowBuffer u;
  };
  [[nodiscard]] Strip strip(const Panel& panel, RowMatrix a, std::int64_t first, std::int64_t n) const;
  void run_strips(Factors& factors, RowMatrix a, std::int64_t n, const Look& look);
  void run_shared(Factors& factors, RowMatrix a, std::int64_t n, const Look& look);
  void lay_rows(const Factors& factors, const Strip& strip);
  void take_displaced(const Factors& factors, const Strip& strip);
  void solve_share(Factors& factors, const Strip& strip);
  void keep_u(const Panel& panel, const Strip& strip, std::int64_t first, std::int64_t n);
  bool run_slices(Factors& factors, const Strip& strip, Position& place, const Look& look);
  void bring_rows(const Factors& factors, const Strip& strip, bool pairwise, const Between& between);
  bool run_offered(const Look& look);
  bool do_some_of(int member, std::int64_t most);
  bool help_with(std::int64_t most);
  [[nodiscard]] Product product(const Panel& panel, const Strip& strip) const;
  void multiply(const Product& product) const;
  void slice(Factors& factors, const Strip& strip, Position& place, std::int64_t most);
  bool run_alone(Factors& factors, const Strip& strip, bool rest, const Look& look);
  void bring_all_u(Factors& factors, const Strip& strip);
  void bring_u(Factors& factors, const Strip& strip, std::int64_t first, std::int64_t n);
  [[nodiscard]] blas::Out u_at(const Panel& panel, const Strip& strip, std::int64_t first) const;
  [[nodiscard]] Found counted(const Look& look);
  [[nodiscard]] bool alone() const { return shape_.grid.rows == 1; }

  const blas::Routines* blas_;
  ColumnMemory* shared_;
  SharedRows* rows_;
  Timeline* timeline_ = nullptr;
  Shape shape_;
  Variant variant_;
  Storage u_storage_;
  machine::HugeArray<double> u_, packed_;
  std::vector<Pair> block_rows_;
  std::vector<double> scratch_;
  BinaryExchange binary_exchange_;
  SpreadRoll spread_roll_;
};

}  // namespace steelyard::hpcc::hpl
