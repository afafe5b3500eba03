// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/back_substitution.hpp"

#include <algorithm>

#include "mpi/error.hpp"
#include "mpi/transfer.hpp"
#include "suites/hpcc/hpl/async_transfer.hpp"

namespace steelyard::hpcc::hpl {

using blas::in;

namespace {

constexpr int tag = 54;

void send(const double* data, std::int64_t count, int to, const mpi::Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Isend(data, mpi::to_int(count), MPI_DOUBLE, to, tag, comm.get(), &request), "MPI_Isend");
  wait_for({&request, 1});
}

void receive(double* data, std::int64_t count, int from, const mpi::Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Irecv(data, mpi::to_int(count), MPI_DOUBLE, from, tag, comm.get(), &request), "MPI_Irecv");
  wait_for({&request, 1});
}

/// The right-hand side minus what the columns solved so far contribute to it is the sum of `rest` over the
/// process row. The rows of a block are added up on their way from column to column: they leave a process
/// column when it has solved the last of its blocks that contributes, and meet the next one just before it
/// solves its own. So each step waits for (Q - 1) NB rows only; the others are updated afterwards.
class Substitution {
 public:
  Substitution(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
               blas::Out matrix, const blas::Routines& routines)
      : row_(row),
        column_(column),
        blas_(routines),
        shape_(shape),
        matrix_(matrix),
        rest_(static_cast<std::size_t>(shape.local_rows())),
        arriving_(rest_.size()),
        x_(static_cast<std::size_t>(shape.columns_before(shape.n))) {}

  std::vector<double> run() {
    const auto last = panels(shape_) - 1;
    if (last < 0) return x_;
    bring_y(panel_shape(shape_, last).owner.column);
    for (auto k = last; k >= 0; --k)
      if (panel_shape(shape_, k).owner.column == shape_.at.column) step(k, k == last);
    return x_;
  }

 private:
  /// From the process column where it lives to the one that begins.
  void bring_y(int to) {
    const int from = shape_.columns().owner(shape_.n);
    const auto count = static_cast<std::int64_t>(rest_.size());
    if (shape_.at.column == from) std::copy_n(&matrix_(0, shape_.local_columns() - 1), count, rest_.data());
    if (from == to) return;
    if (shape_.at.column == from) {
      send(rest_.data(), count, to, row_);
      std::ranges::fill(rest_, 0.0);
    }
    if (shape_.at.column == to) receive(rest_.data(), count, from, row_);
  }

  void step(std::int64_t k, bool first) {
    const auto at = panel_shape(shape_, k);
    if (!first) take_in(k, at);
    solve(at);
    const auto soon = rows_from(k - (shape_.grid.columns - 1));
    subtract(at, soon, at.top);
    if (k > 0 && shape_.grid.columns > 1) send(rest_.data() + soon, at.top - soon, neighbour(-1), row_);
    subtract(at, 0, soon);
  }

  [[nodiscard]] std::int64_t rows_from(std::int64_t k) const {
    return shape_.rows_before(std::max<std::int64_t>(k, 0) * shape_.nb);
  }
  [[nodiscard]] int neighbour(int step) const {
    return (shape_.at.column + step + shape_.grid.columns) % shape_.grid.columns;
  }

  /// Rows of the blocks k, k - 1 .. that the column before has sent.
  void take_in(std::int64_t k, const PanelShape& at) {
    if (shape_.grid.columns == 1) return;
    const auto from = rows_from(k + 1 - (shape_.grid.columns - 1)), count = at.below - from;
    receive(arriving_.data(), count, neighbour(1), row_);
    blas_.axpy(count, 1, {arriving_.data()}, {rest_.data() + from});
  }

  /// The owner of the diagonal block solves; its solution goes up the process column.
  void solve(const PanelShape& at) {
    const int size = column_.size(), distance = (at.owner.row - shape_.at.row + size) % size;
    double* const x = x_.data() + at.column;
    if (distance == 0) {
      std::copy_n(rest_.data() + at.top, at.width, x);
      blas_.trsv(blas::Triangle::upper, blas::Op::plain, blas::Diagonal::general, at.width,
                 in(matrix_.at(at.top, at.column)), {x});
    } else {
      receive(x, at.width, (shape_.at.row + 1) % size, column_);
    }
    if (distance + 1 < size) send(x, at.width, (shape_.at.row - 1 + size) % size, column_);
  }

  void subtract(const PanelShape& at, std::int64_t from, std::int64_t to) {
    blas_.gemv(blas::Op::plain, to - from, at.width, -1, in(matrix_.at(from, at.column)),
               {x_.data() + at.column}, 1, {rest_.data() + from});
  }

  const mpi::Communicator& row_;
  const mpi::Communicator& column_;
  const blas::Routines& blas_;
  Shape shape_;
  blas::Out matrix_;
  std::vector<double> rest_, arriving_, x_;
};

}  // namespace

std::vector<double> back_substitute(const mpi::Communicator& row, const mpi::Communicator& column,
                                    const Shape& shape, blas::Out matrix, const blas::Routines& routines) {
  return Substitution(row, column, shape, matrix, routines).run();
}

}  // namespace steelyard::hpcc::hpl
