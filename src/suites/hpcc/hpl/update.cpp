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
      scratch_(static_cast<std::size_t>(std::min(shape.nb, shape.n))),
      binary_exchange_(column, packed_.span()),
      spread_roll_(column, variant.equilibration, carrier(variant.swap), packed_.span()) {}

void Update::run(Panel& panel, const Factors& factors, blas::Out matrix, std::int64_t to,
                 const Progress& progress) {
  const auto n = to - panel.next;
  if (n <= 0) return;
  const Stretch stretch(timeline_, Phase::update, panel.index());
  const auto a = matrix.at(0, panel.next);
  if (!alone()) bring_rows(panel, factors, a, n, progress);
  std::int64_t done = 0;
  for (; done < n && !all_through(progress); done += shape_.nb)
    slice(panel, factors, a, done, std::min(shape_.nb, n - done));
  if (done < n) slice(panel, factors, a, done, n - done);
  panel.next = to;
}

/// A look between two slices.
bool Update::all_through(const Progress& progress) {
  const bool through = progress();
  if (!through && timeline_ != nullptr) ++timeline_->looks.between_slices;
  return through;
}

void Update::bring_rows(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t n,
                        const Progress& progress) {
  const Stretch stretch(timeline_, Phase::interchange, panel.index());
  const auto width = panel.shape().width;
  u_rows_ = u_storage_ == Storage::plain ? RowBuffer{u_.data(), 1, width} : by_rows(u_.data(), n);
  const Cargo cargo{&factors.interchanges, &panel.shape(), n, a, u_rows_};
  const Between between = [&progress] { static_cast<void>(progress()); };
  const bool pairwise =
      variant_.swap == Swap::binary_exchange || (variant_.swap == Swap::mix && n <= variant_.swap_threshold);
  if (pairwise)
    binary_exchange_.run(cargo, between);
  else
    spread_roll_.run(cargo, between);
}

blas::Out Update::u_at(const Panel& panel, blas::Out a, std::int64_t first) const {
  if (alone()) return a.at(panel.shape().top, first);
  return {u_rows_.data + first * u_rows_.column_step,
          u_storage_ == Storage::plain ? u_rows_.column_step : u_rows_.slot_step};
}

/// U of some columns, and where the block lives also in its place in the matrix.
void Update::bring_u(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t first,
                     std::int64_t n) {
  const auto& at = panel.shape();
  if (alone()) {
    const Stretch stretch(timeline_, Phase::interchange, panel.index());
    interchange(factors.interchanges, at.top, at.width, n, a.at(0, first), scratch_.data());
  }
  const Stretch stretch(timeline_, Phase::solve, panel.index());
  factors.solver.solve(n, u_at(panel, a, first), u_storage_);
  if (alone() || at.owner.row != shape_.at.row) return;
  block_rows_.clear();
  for (std::int64_t i = 0; i < at.width; ++i) block_rows_.push_back({at.top + i, i});
  const RowBuffer u{u_rows_.data + first * u_rows_.column_step, u_rows_.slot_step, u_rows_.column_step};
  put_rows(block_rows_, n, u, a.at(0, first));
}

void Update::slice(const Panel& panel, const Factors& factors, blas::Out a, std::int64_t first,
                   std::int64_t n) {
  const auto& at = panel.shape();
  for (auto c = first; c < first + n; c += columns_in_cache)
    bring_u(panel, factors, a, c, std::min(columns_in_cache, first + n - c));
  const Stretch stretch(timeline_, Phase::multiply, panel.index());
  const auto of_u = u_storage_ == Storage::plain ? Op::plain : Op::transposed;
  blas_->gemm(Op::plain, of_u, at.rows, n, at.width, -1, in(panel.rows()), in(u_at(panel, a, first)), 1,
             a.at(at.below, first));
}

}  // namespace steelyard::hpcc::hpl
