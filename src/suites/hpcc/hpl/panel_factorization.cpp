// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/panel_factorization.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "mpi/error.hpp"
#include "suites/hpcc/foundation/transpose.hpp"
#include "suites/hpcc/hpl/async_transfer.hpp"

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr int pivot_tag = 51;

/// Weight of a candidate. All processes must choose alike, also where a value is not a number.
double weight(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

/// Copies rows into columns, some rows at a time: what lies together in them is read one after the other.
void copy_matrix(std::int64_t rows, std::int64_t columns, RowMatrix from, blas::Out to) {
  constexpr std::int64_t some = 64;
  for (std::int64_t top = 0; top < rows; top += some)
    copy_transposed({std::min(some, rows - top), columns}, &to(top, 0), to.leading, &from(top, 0),
                    from.leading);
}

/// Elements of a row of the block from column c on.
blas::Vector<double> along_row(const Block& block, std::int64_t i, std::int64_t c) {
  return {&block(i, c), block.column_step()};
}

blas::Vector<double> down_column(const Block& block, std::int64_t i, std::int64_t c) {
  return {&block(i, c), block.row_step()};
}

blas::Vector<const double> in(const blas::Vector<double>& vector) {
  return {vector.data, vector.step};
}

/// All processes choose alike: the larger magnitude, then the lower process row.
bool wins(const double* candidate, const double* other) {
  const double own = weight(candidate[0]), theirs = weight(other[0]);
  return own > theirs || (own == theirs && candidate[3] < other[3]);
}

}  // namespace

PivotExchange::PivotExchange(const mpi::Communicator& column, std::int64_t width, ColumnMemory& shared)
    : column_(&column),
      width_(static_cast<std::size_t>(width)),
      memory_(2 * (header + 2 * width_)),
      shared_(shared.available() ? &shared : nullptr),
      mine_(memory_.data()),
      theirs_(mine_ + header + 2 * width_) {}

void PivotExchange::begin() {
  if (shared_ == nullptr) return;
  shared_->turn_candidates();
  mine_ = shared_->candidate(column_->rank());
}

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
  mpi::check(MPI_Isend(mine_, static_cast<int>(header + 2 * width_), MPI_DOUBLE, partner, pivot_tag,
                       column_->get(), &request),
             "MPI_Isend");
  wait_for({&request, 1});
}

void PivotExchange::receive(int partner, double* to) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Irecv(to, static_cast<int>(header + 2 * width_), MPI_DOUBLE, partner, pivot_tag,
                       column_->get(), &request),
             "MPI_Irecv");
  wait_for({&request, 1});
}

void PivotExchange::swap_messages(int partner) {
  std::array<MPI_Request, 2> requests{};
  const auto count = static_cast<int>(header + 2 * width_);
  mpi::check(MPI_Irecv(theirs_, count, MPI_DOUBLE, partner, pivot_tag, column_->get(), requests.data()),
             "MPI_Irecv");
  mpi::check(MPI_Isend(mine_, count, MPI_DOUBLE, partner, pivot_tag, column_->get(), &requests[1]),
             "MPI_Isend");
  wait_for(requests);
}

void PivotExchange::merge(bool with_diagonal) {
  if (wins(theirs_, mine_)) std::copy_n(theirs_, header + width_, mine_);
  if (with_diagonal) std::copy_n(theirs_ + header + width_, width_, mine_ + header + width_);
}

void PivotExchange::run(int owner) {
  if (shared_ != nullptr) return run_shared(owner);
  run_messages(owner);
  winner_ = mine_;
  displaced_ = mine_ + header + width_;
}

/// Every process reads the candidates of all where they lie.
void PivotExchange::run_shared(int owner) {
  shared_->meet();
  winner_ = shared_->candidate(0);
  for (int other = 1; other < column_->size(); ++other)
    if (const double* const one = shared_->candidate(other); wins(one, winner_)) winner_ = one;
  displaced_ = shared_->candidate(owner) + header + width_;
}

void PivotExchange::run_messages(int owner) {
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

PanelFactorization::PanelFactorization(const mpi::Communicator& column, ColumnMemory& shared,
                                       const Shape& shape, const Variant& variant,
                                       const blas::Routines& routines)
    : shape_(shape), variant_(variant), blas_(&routines) {
  const auto width = std::min(shape.nb, shape.n);
  copy_ = machine::HugeArray<double>(width * width);
  std::ranges::fill(copy_.span(), 0.0);
  // The last panel may be narrower, and so are its messages.
  exchanges_.emplace_back(column, width, shared);
  if (width > 0 && shape.n % shape.nb != 0) exchanges_.emplace_back(column, shape.n % shape.nb, shared);
}

void PanelFactorization::factor(Panel& panel, RowMatrix a) {
  panel_ = &panel;
  const auto width = panel.shape().width;
  exchange_ = &exchanges_[width == std::min(shape_.nb, shape_.n) ? 0 : 1];
  panel.missing_pivot() = 0;
  bring_in(a);
  recurse(0, width);
  if (owns_block()) write_back(a);
}

void PanelFactorization::bring_in(RowMatrix a) {
  const auto& at = panel_->shape();
  copy_matrix(at.rows, at.width, a.at(at.below, 0), panel_->rows());
  if (!owns_block()) return;
  top_ = {copy_.data(), at.width};
  copy_matrix(at.width, at.width, a.at(at.top, 0), top_);
}

void PanelFactorization::write_back(RowMatrix a) const {
  const auto& at = panel_->shape();
  for (std::int64_t i = 0; i < at.width; ++i)
    for (auto j = i; j < at.width; ++j) a(at.top + i, j) = panel_->block()(i, j);
}

PanelFactorization::Segments PanelFactorization::active(std::int64_t from) const {
  const auto& at = panel_->shape();
  Segments all;
  if (owns_block() && from < at.width)
    all.of[all.count++] = {top_.at(from, 0), at.width - from, at.top + from};
  if (at.rows > 0) all.of[all.count++] = {panel_->rows(), at.rows, at.below};
  return all;
}

blas::Out PanelFactorization::row(std::int64_t local) const {
  const auto& at = panel_->shape();
  return local < at.below ? top_.at(local - at.top, 0) : panel_->rows().at(local - at.below, 0);
}

void PanelFactorization::recurse(std::int64_t first, std::int64_t n) {
  if (n <= variant_.stop) return columns(first, n);
  const std::int64_t stops = (n + variant_.stop - 1) / variant_.stop;
  const std::int64_t width = (stops + variant_.parts - 1) / variant_.parts * variant_.stop;
  for (std::int64_t part = first; part < first + n; part += width) {
    const auto columns = std::min(width, first + n - part);
    before_part(first, part, columns);
    recurse(part, columns);
    after_part(first, part, columns, first + n);
  }
}

void PanelFactorization::columns(std::int64_t first, std::int64_t n) {
  const ScopedPhase scope(timeline_, Phase::columns, panel_->index());
  if (variant_.panel == Factorisation::right) return columns_right(first, n);
  return variant_.panel == Factorisation::left ? columns_left(first, n) : columns_crout(first, n);
}

void PanelFactorization::before_part(std::int64_t first, std::int64_t part, std::int64_t n) {
  const auto done = part - first;
  if (done == 0 || variant_.recursive == Factorisation::right) return;
  if (variant_.recursive == Factorisation::left) solve(first, done, part, n);
  update(part, first, done, part, n);
}

void PanelFactorization::after_part(std::int64_t first, std::int64_t part, std::int64_t n, std::int64_t end) {
  const auto next = part + n, right = end - next;
  if (right == 0 || variant_.recursive == Factorisation::left) return;
  if (variant_.recursive == Factorisation::crout) update_block(part, n, first, part - first, next, right);
  solve(part, n, next, right);
  if (variant_.recursive == Factorisation::right) update(next, part, n, next, right);
}

void PanelFactorization::columns_right(std::int64_t first, std::int64_t n) {
  const auto end = first + n;
  const auto& block = panel_->block();
  auto candidate = search(first);
  for (auto c = first; c < end; ++c) {
    bring_pivot(c, candidate);
    scale(c);
    if (c + 1 == end) return;
    for (const auto& part : active(c + 1))
      blas_->axpy(part.rows, -block(c, c + 1), {&part.data(0, c)}, {&part.data(0, c + 1)});
    candidate = search(c + 1);
    for (const auto& part : active(c + 1))
      blas_->ger(part.rows, end - c - 2, -1, {&part.data(0, c)}, in(along_row(block, c, c + 2)),
                 part.data.at(0, c + 2));
  }
}

void PanelFactorization::columns_left(std::int64_t first, std::int64_t n) {
  const auto end = first + n;
  const auto& block = panel_->block();
  auto candidate = search(first);
  for (auto c = first; c < end; ++c) {
    bring_pivot(c, candidate);
    scale(c);
    if (c + 1 == end) return;
    const auto triangle = block.storage == Storage::plain ? blas::Triangle::lower : blas::Triangle::upper;
    blas_->trsv(triangle, block.op(), blas::Diagonal::unit, c + 1 - first, in(block.at(first, first)),
                down_column(block, first, c + 1));
    update_column(c + 1, first, c + 1 - first, c + 1);
    candidate = search(c + 1);
  }
}

void PanelFactorization::columns_crout(std::int64_t first, std::int64_t n) {
  const auto end = first + n;
  const auto& block = panel_->block();
  auto candidate = search(first);
  for (auto c = first; c < end; ++c) {
    bring_pivot(c, candidate);
    const auto done = c - first, right = end - c - 1;
    // The row of U: its product with the rows above runs over the transposed matrix in plain order.
    const bool plain = block.storage == Storage::plain;
    if (done > 0)
      blas_->gemv(plain ? Op::transposed : Op::plain, plain ? done : right, plain ? right : done, -1,
                  in(block.at(first, c + 1 < end ? c + 1 : c)), in(along_row(block, c, first)), 1,
                  along_row(block, c, c + 1 < end ? c + 1 : c));
    scale(c);
    if (right == 0) return;
    update_column(c + 1, first, c + 1 - first, c + 1);
    candidate = search(c + 1);
  }
}

void PanelFactorization::update(std::int64_t active_from, std::int64_t d, std::int64_t depth, std::int64_t c,
                                std::int64_t n) {
  const auto& block = panel_->block();
  for (const auto& part : active(active_from))
    blas_->gemm(Op::plain, block.op(), part.rows, n, depth, -1, in(part.data.at(0, d)), in(block.at(d, c)), 1,
                part.data.at(0, c));
}

void PanelFactorization::update_block(std::int64_t r, std::int64_t rows, std::int64_t d, std::int64_t depth,
                                      std::int64_t c, std::int64_t n) {
  if (depth == 0) return;
  const auto& block = panel_->block();
  const auto left = in(block.at(r, d)), above = in(block.at(d, c));
  if (block.storage == Storage::plain)
    blas_->gemm(Op::plain, Op::plain, rows, n, depth, -1, left, above, 1, block.at(r, c));
  else
    blas_->gemm(Op::plain, Op::plain, n, rows, depth, -1, above, left, 1, block.at(r, c));
}

void PanelFactorization::solve(std::int64_t d, std::int64_t depth, std::int64_t c, std::int64_t n) {
  const auto& block = panel_->block();
  if (block.storage == Storage::plain)
    blas_->trsm(blas::Side::left, blas::Triangle::lower, Op::plain, blas::Diagonal::unit, depth, n,
                in(block.at(d, d)), block.at(d, c));
  else
    blas_->trsm(blas::Side::right, blas::Triangle::upper, Op::plain, blas::Diagonal::unit, n, depth,
                in(block.at(d, d)), block.at(d, c));
}

void PanelFactorization::update_column(std::int64_t active_from, std::int64_t d, std::int64_t depth,
                                       std::int64_t c) {
  for (const auto& part : active(active_from))
    blas_->gemv(Op::plain, part.rows, depth, -1, in(part.data.at(0, d)),
                in(down_column(panel_->block(), d, c)), 1, {&part.data(0, c)});
}

PanelFactorization::Candidate PanelFactorization::search(std::int64_t c) const {
  Candidate best;
  for (const auto& part : active(c)) {
    const auto found = blas_->iamax(part.rows, {&part.data(0, c)});
    const double value = part.data(found, c);
    if (best.local >= 0 && !(std::abs(value) > std::abs(best.value))) continue;
    best = {value, part.local + found};
  }
  return best;
}

void PanelFactorization::bring_pivot(std::int64_t c, const Candidate& candidate) {
  const ScopedPhase scope(timeline_, Phase::pivot, panel_->index());
  if (shape_.grid.rows == 1)
    take_pivot_here(c, candidate.local);
  else
    take_pivot_of_all(c, candidate);
}

void PanelFactorization::take_pivot_here(std::int64_t c, std::int64_t local) {
  const auto width = panel_->shape().width;
  const auto pivot = row(local), diagonal = top_.at(c, 0);
  for (std::int64_t j = 0; j < width; ++j) {
    panel_->block()(c, j) = pivot(0, j);
    pivot(0, j) = diagonal(0, j);
  }
  panel_->pivot(c) = static_cast<double>(local);
}

void PanelFactorization::take_pivot_of_all(std::int64_t c, const Candidate& candidate) {
  const auto width = panel_->shape().width;
  const auto copy = [width](blas::Out from, std::span<double> to) {
    for (std::int64_t j = 0; j < width; ++j) to[static_cast<std::size_t>(j)] = from(0, j);
  };
  exchange_->begin();
  if (candidate.local < 0) {
    exchange_->offer_nothing();
  } else {
    exchange_->offer(candidate.value, candidate.local, shape_.rows().global(shape_.at.row, candidate.local));
    copy(row(candidate.local), exchange_->row());
  }
  if (owns_block()) copy(top_.at(c, 0), exchange_->diagonal());
  exchange_->run(panel_->shape().owner.row);
  for (std::int64_t j = 0; j < width; ++j)
    panel_->block()(c, j) = exchange_->winning_row()[static_cast<std::size_t>(j)];
  panel_->pivot(c) = exchange_->global_row();
  if (exchange_->process_row() != shape_.at.row) return;
  const auto place = row(exchange_->local_row());
  for (std::int64_t j = 0; j < width; ++j)
    place(0, j) = exchange_->displaced_row()[static_cast<std::size_t>(j)];
}

void PanelFactorization::scale(std::int64_t c) {
  const double pivot = panel_->block()(c, c);
  if (pivot == 0) {
    if (panel_->missing_pivot() == 0) panel_->missing_pivot() = static_cast<double>(c + 1);
    return;
  }
  for (const auto& part : active(c + 1)) blas_->scal(part.rows, 1 / pivot, {&part.data(0, c)});
}

}  // namespace steelyard::hpcc::hpl
