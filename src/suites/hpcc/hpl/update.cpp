// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/update.hpp"

#include <algorithm>

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr std::int64_t columns_in_cache = 256;  // whose rows of U stay in the cache of second level

std::int64_t buffer_columns(const Shape& shape, int rows_of_u) {
  if (shape.grid.rows == 1) return 0;
  return rows_of_u * std::min(shape.nb, shape.n) * shape.local_columns();
}

Carrier carrier(Swap swap) {
  return swap == Swap::automatic ? Carrier::library : Carrier::schedules;
}

HugeArray<double> touched(std::int64_t n) {
  HugeArray<double> array(n);
  std::ranges::fill(array.span(), 0.0);
  return array;
}

}  // namespace

Update::Update(const mpi::Communicator& column, const Shape& shape, const Variant& variant,
               const blas::Routines& routines)
    : blas_(&routines),
      shape_(shape),
      variant_(variant),
      u_storage_(shape.grid.rows == 1 ? Storage::plain : variant.u),
      u_(touched(buffer_columns(shape, 1))),
      packed_(touched(buffer_columns(shape, 2))),
      scratch_(static_cast<std::size_t>(panels_at_once(variant) * std::min(shape.nb, shape.n))),
      binary_exchange_(column, packed_.span()),
      spread_roll_(column, variant.equilibration, carrier(variant.swap), packed_.span()) {}

void Factors::derive(const Shape& shape, const blas::Routines& routines) {
  interchanges = compose(shape, panel.shape(), panel.pivots());
  solver.become(panel.block(), routines);
}

void Update::run(Factors& factors, blas::Out matrix, std::int64_t to, const Look& look) {
  auto& panel = factors.panel;
  const auto n = to - panel.next;
  if (n <= 0) return;
  const ScopedPhase scope(timeline_, Phase::update, panel.index());
  const auto a = matrix.at(0, panel.next);
  if (!alone()) bring_rows(factors, a, n, look);
  std::int64_t done = 0;
  Found found = Found::under_way;
  for (; done < n && (found = counted(look)) == Found::under_way; done += shape_.nb)
    slice(factors, a, done, std::min(shape_.nb, n - done));
  if (found == Found::nothing) {
    slice(factors, a, done, n - done);
    done = n;
  }
  panel.next += std::min(done, n);
}

/// Looks between two slices that did not end the slicing.
Found Update::counted(const Look& look) {
  const auto found = look();
  if (found == Found::under_way && timeline_ != nullptr) ++timeline_->looks.between_slices;
  return found;
}

void Update::bring_rows(const Factors& factors, blas::Out a, std::int64_t n, const Look& look) {
  const auto& panel = factors.panel;
  const ScopedPhase scope(timeline_, Phase::interchange, panel.index());
  const auto width = panel.shape().width;
  u_rows_ = u_storage_ == Storage::plain ? RowBuffer{u_.data(), 1, width} : by_rows(u_.data(), n);
  const Payload payload{&factors.interchanges, &panel.shape(), n, a, u_rows_};
  const Between between = [&look] { static_cast<void>(look()); };
  const bool pairwise =
      variant_.swap == Swap::binary_exchange || (variant_.swap == Swap::mix && n <= variant_.swap_threshold);
  if (pairwise)
    binary_exchange_.run(payload, between);
  else
    spread_roll_.run(payload, between);
}

blas::Out Update::u_at(const Panel& panel, blas::Out a, std::int64_t first) const {
  if (alone()) return a.at(panel.shape().top, first);
  return {u_rows_.data + first * u_rows_.column_step,
          u_storage_ == Storage::plain ? u_rows_.column_step : u_rows_.slot_step};
}

/// U of some columns, and where the block lives also in its place in the matrix.
void Update::bring_u(Factors& factors, blas::Out a, std::int64_t first, std::int64_t n) {
  const auto& panel = factors.panel;
  const auto& at = panel.shape();
  if (alone()) {
    const ScopedPhase scope(timeline_, Phase::interchange, panel.index());
    interchange(factors.interchanges, at.top, at.width, n, a.at(0, first), scratch_.data());
  }
  const ScopedPhase scope(timeline_, Phase::solve, panel.index());
  factors.solver.solve(n, u_at(panel, a, first), u_storage_);
  if (alone() || at.owner.row != shape_.at.row) return;
  block_rows_.clear();
  for (std::int64_t i = 0; i < at.width; ++i) block_rows_.push_back({at.top + i, i});
  const RowBuffer u{u_rows_.data + first * u_rows_.column_step, u_rows_.slot_step, u_rows_.column_step};
  put_rows(block_rows_, n, u, a.at(0, first));
}

void Update::slice(Factors& factors, blas::Out a, std::int64_t first, std::int64_t n) {
  const auto& panel = factors.panel;
  const auto& at = panel.shape();
  for (auto c = first; c < first + n; c += columns_in_cache)
    bring_u(factors, a, c, std::min(columns_in_cache, first + n - c));
  const ScopedPhase scope(timeline_, Phase::multiply, panel.index());
  const auto of_u = u_storage_ == Storage::plain ? Op::plain : Op::transposed;
  blas_->gemm(Op::plain, of_u, at.rows, n, at.width, -1, in(panel.rows()), in(u_at(panel, a, first)), 1,
              a.at(at.below, first));
}

}  // namespace steelyard::hpcc::hpl
