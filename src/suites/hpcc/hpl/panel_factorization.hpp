// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/panel.hpp"
#include "suites/hpcc/hpl/rows.hpp"
#include "suites/hpcc/hpl/shared_rows.hpp"
#include "suites/hpcc/hpl/timeline.hpp"

namespace steelyard::hpcc::hpl {

/// Exchange of the largest element of a column over the rows of a process column, together with its
/// whole panel row and the row on the diagonal: in shared memory, or a binary exchange in ceil(log2 P) steps
/// of one message of 4 + 2 width doubles.
class PivotExchange {
 public:
  /// `column` and `shared` must outlive this.
  PivotExchange(const mpi::Communicator& column, std::int64_t width, ColumnMemory& shared);

  /// Begins an exchange: the following are the own candidate until run(); a process without rows offers none.
  void begin();
  void offer(double value, std::int64_t local_row, std::int64_t global_row);
  void offer_nothing();
  [[nodiscard]] std::span<double> row() const { return {mine_ + header, width_}; }
  [[nodiscard]] std::span<double> diagonal() const { return {mine_ + header + width_, width_}; }

  /// Exchanges. `owner`: process row of the diagonal. Afterwards all know the winner, until the next one: larger
  /// magnitude, then lower process row. Collective over the column. Throws mpi::Error.
  void run(int owner);

  [[nodiscard]] std::int64_t local_row() const { return static_cast<std::int64_t>(winner_[1]); }
  [[nodiscard]] double global_row() const { return winner_[2]; }
  [[nodiscard]] int process_row() const { return static_cast<int>(winner_[3]); }
  [[nodiscard]] std::span<const double> winning_row() const { return {winner_ + header, width_}; }
  [[nodiscard]] std::span<const double> displaced_row() const { return {displaced_, width_}; }

 private:
  static constexpr std::size_t header = 4;

  void run_shared(int owner);
  void run_messages(int owner);
  void swap_messages(int partner);
  void merge(bool with_diagonal);
  void send(int partner);
  void receive(int partner, double* to);

  const mpi::Communicator* column_;
  std::size_t width_;
  std::vector<double> memory_;
  ColumnMemory* shared_;
  double *mine_, *theirs_;
  const double *winner_ = nullptr, *displaced_ = nullptr;
};

/// Factorisation of panels with row partial pivoting, together with the other processes of a
/// process column. All nine combinations of the recursion (RFACT) and of what ends it (PFACT) give
/// the same factors up to rounding.
class PanelFactorization {
 public:
  /// `column`: the processes of this process column; it, their memory and the routines must outlive
  /// this. Throws std::bad_alloc.
  PanelFactorization(const mpi::Communicator& column, ColumnMemory& shared, const Shape& shape,
                     const Variant& variant, const blas::Routines& routines);

  /// Factors a panel. `a`: local row 0 of the panel's columns. Makes the panel's rows, block and pivots,
  /// and writes U of the block where back substitution looks for it. A pivot of zero leaves its column as it
  /// is. Collective over the column. Throws mpi::Error.
  void factor(Panel& panel, RowMatrix a);

  void record_in(Timeline* timeline) { timeline_ = timeline; }

 private:
  /// Rows that are still candidates: those of the block, if it is here, and those under it.
  struct Segment {
    blas::Out data;
    std::int64_t rows = 0, local = 0;  // local: row of the first
  };
  struct Segments {
    Segment of[2];
    int count = 0;
    [[nodiscard]] const Segment* begin() const { return of; }
    [[nodiscard]] const Segment* end() const { return of + count; }
  };
  struct Candidate {
    double value = 0;
    std::int64_t local = -1;
  };

  [[nodiscard]] Segments active(std::int64_t from) const;
  [[nodiscard]] blas::Out row(std::int64_t local) const;
  [[nodiscard]] bool owns_block() const { return shape_.at.row == panel_->shape().owner.row; }

  void bring_in(RowMatrix a);
  void write_back(RowMatrix a) const;

  void recurse(std::int64_t first, std::int64_t n);
  void columns(std::int64_t first, std::int64_t n);
  void before_part(std::int64_t first, std::int64_t part, std::int64_t n);
  void after_part(std::int64_t first, std::int64_t part, std::int64_t n, std::int64_t end);
  void columns_right(std::int64_t first, std::int64_t n);
  void columns_left(std::int64_t first, std::int64_t n);
  void columns_crout(std::int64_t first, std::int64_t n);

  /// Computes the rows' columns c.. <- themselves minus L's columns d.. times the block's rows d..
  void update(std::int64_t active_from, std::int64_t d, std::int64_t depth, std::int64_t c, std::int64_t n);
  void update_block(std::int64_t r, std::int64_t rows, std::int64_t d, std::int64_t depth, std::int64_t c,
                    std::int64_t n);
  void solve(std::int64_t d, std::int64_t depth, std::int64_t c, std::int64_t n);
  void update_column(std::int64_t active_from, std::int64_t d, std::int64_t depth, std::int64_t c);

  [[nodiscard]] Candidate search(std::int64_t c) const;
  void bring_pivot(std::int64_t c, const Candidate& candidate);
  void take_pivot_here(std::int64_t c, std::int64_t local);
  void take_pivot_of_all(std::int64_t c, const Candidate& candidate);
  void scale(std::int64_t c);

  Shape shape_;
  Variant variant_;
  const blas::Routines* blas_;
  Timeline* timeline_ = nullptr;
  machine::HugeArray<double> copy_;  // of the block's rows
  Panel* panel_ = nullptr;
  blas::Out top_;  // the block's rows as candidates
  std::vector<PivotExchange> exchanges_;
  PivotExchange* exchange_ = nullptr;
};

}  // namespace steelyard::hpcc::hpl
