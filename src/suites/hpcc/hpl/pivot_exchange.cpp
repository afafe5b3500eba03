// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/pivot_exchange.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "mpi/error.hpp"
#include "suites/hpcc/hpl/async_transfer.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr int tag = 51;

/// All processes must choose alike, also where a value is not a number.
double weight(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

}  // namespace

PivotExchange::PivotExchange(const mpi::Communicator& column, std::int64_t width)
    : column_(&column),
      width_(static_cast<std::size_t>(width)),
      memory_(2 * (header + 2 * width_)),
      mine_(memory_.data()),
      theirs_(mine_ + header + 2 * width_) {}

void PivotExchange::offer(double value, std::int64_t local_row, std::int64_t global_row) {
  mine_[0] = value;
  mine_[1] = static_cast<double>(local_row);
  mine_[2] = static_cast<double>(global_row);
  mine_[3] = column_->rank();
}

void PivotExchange::offer_nothing() {
  offer(0, 0, 0);
  mine_[3] = column_->size();
  std::ranges::fill(row(), 0.0);
}

void PivotExchange::send(int partner) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Isend(mine_, static_cast<int>(header + 2 * width_), MPI_DOUBLE, partner, tag, column_->get(),
                       &request),
             "MPI_Isend");
  wait_for({&request, 1});
}

void PivotExchange::receive(int partner, double* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Irecv(to, static_cast<int>(header + 2 * width_), MPI_DOUBLE, partner, tag, column_->get(),
                       &request),
             "MPI_Irecv");
  wait_for({&request, 1});
}

void PivotExchange::swap_messages(int partner) {
  std::array<MPI_Request, 2> requests{};
  const auto count = static_cast<int>(header + 2 * width_);
  mpi::check(MPI_Irecv(theirs_, count, MPI_DOUBLE, partner, tag, column_->get(), requests.data()),
             "MPI_Irecv");
  mpi::check(MPI_Isend(mine_, count, MPI_DOUBLE, partner, tag, column_->get(), &requests[1]), "MPI_Isend");
  wait_for(requests);
}

void PivotExchange::merge(bool with_diagonal) {
  const double own = weight(mine_[0]), other = weight(theirs_[0]);
  const bool theirs_wins = other > own || (other == own && theirs_[3] < mine_[3]);
  if (theirs_wins) std::copy_n(theirs_, header + width_, mine_);
  if (with_diagonal) std::copy_n(theirs_ + header + width_, width_, mine_ + header + width_);
}

void PivotExchange::run(int owner) {
  const int size = column_->size();
  const int me = (column_->rank() - owner + size) % size;
  const auto rank = [&](int distance) { return (distance + owner) % size; };
  const int whole = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  if (me >= whole) {
    send(rank(me - whole));
    receive(rank(me - whole), mine_);
    return;
  }
  if (me + whole < size) {
    receive(rank(me + whole), theirs_);
    merge(false);
  }
  for (int span = 1; span < whole; span *= 2) {
    const int partner = me ^ span;
    swap_messages(rank(partner));
    merge(partner < span);
  }
  if (me + whole < size) send(rank(me + whole));
}

}  // namespace steelyard::hpcc::hpl
