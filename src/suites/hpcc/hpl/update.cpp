// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/update.hpp"

#include <algorithm>
#include <optional>

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr std::int64_t columns_in_cache = 256;  // whose rows of U stay in the cache of second level
constexpr std::int64_t most_strips = 4;

std::int64_t buffer_columns(const Shape& shape, int rows_of_u) {
  if (shape.grid.rows == 1) return 0;
  return rows_of_u * std::min(shape.nb, shape.n) * shape.local_columns();
}

Carrier carrier(Swap swap) {
  return swap == Swap::automatic ? Carrier::library : Carrier::schedules;
}

machine::HugeArray<double> touched(std::int64_t n) {
  machine::HugeArray<double> array(n);
  std::ranges::fill(array.span(), 0.0);
  return array;
}

}  // namespace

Update::Update(const mpi::Communicator& column, const Shape& shape, const Variant& variant,
               const blas::Routines& routines)
    : blas_(&routines),
      shape_(shape),
      variant_(variant),
      // In the matrix U lies as that does.
      u_storage_(shape.grid.rows == 1 ? Storage::transposed : variant.u),
      u_(touched(buffer_columns(shape, 1))),
      packed_(touched(buffer_columns(shape, 2))),
      scratch_(static_cast<std::size_t>(panels_at_once(variant) * std::min(shape.nb, shape.n) *
                                        columns_interchanged)),
      binary_exchange_(column, packed_.span()),
      spread_roll_(column, variant.equilibration, carrier(variant.swap), packed_.span()) {}

void Factors::derive(const Shape& shape, const blas::Routines& routines) {
  interchanges = compose(shape, panel.shape(), panel.pivots());
  solver.become(panel.block(), routines);
}

void Update::run(Factors& factors, RowMatrix matrix, std::int64_t to, const Look& look) {
  auto& panel = factors.panel;
  const auto n = to - panel.next;
  if (n <= 0) return;
  const ScopedPhase scope(timeline_, Phase::update, panel.index());
  const auto a = matrix.at(0, panel.next);
  if (!alone())
    run_strips(factors, a, n, look);
  else if (!run_slices(factors, {a, n, {}}, factors.place, look))
    return;
  factors.place = {};
  panel.next = to;
}

Update::Strip Update::strip(const Panel& panel, RowMatrix a, std::int64_t first, std::int64_t n) const {
  const auto width = panel.shape().width;
  double* const u = u_.data() + first * width;
  return {a.at(0, first), n, u_storage_ == Storage::plain ? RowBuffer{u, 1, width} : by_rows(u, n)};
}

/// Updates strip by strip. While the rows of one strip are on their way, the one before it is multiplied:
/// processes that pack rows and those that wait for them take turns, and would be idle in turn.
void Update::run_strips(Factors& factors, RowMatrix a, std::int64_t n, const Look& look) {
  const bool pairwise =
      variant_.swap == Swap::binary_exchange || (variant_.swap == Swap::mix && n <= variant_.swap_threshold);
  const auto strips = std::clamp<std::int64_t>(n / variant_.strip, 1, most_strips);
  const auto width = panel_leading((n + strips - 1) / strips), rows = factors.panel.shape().rows;
  auto next = strip(factors.panel, a, 0, std::min(width, n));
  bring_rows(factors, next, pairwise, [&look] { static_cast<void>(look()); });
  for (std::int64_t first = 0; first < n; first += width) {
    const auto here = next;
    Position place;
    if (const auto end = first + width; end < n) {
      next = strip(factors.panel, a, end, std::min(width, n - end));
      bring_rows(factors, next, pairwise, [&] {
        if (place.row < rows || !place.solved) slice(factors, here, place, variant_.slice_rows);
        static_cast<void>(look());
      });
    }
    run_slices(factors, here, place, look);
  }
}

/// Updates the strip from the next product on until a look finds work; returns whether all of it is up to date. While
/// nothing is on its way one product does all that is left.
bool Update::run_slices(Factors& factors, const Strip& strip, Position& place, const Look& look) {
  const auto rows = factors.panel.shape().rows;
  while (place.row < rows || !place.solved) {
    const auto found = counted(look);
    if (found == Found::work) return false;
    slice(factors, strip, place, found == Found::nothing ? rows : variant_.slice_rows);
  }
  return true;
}

/// Looks, and counts a look between two slices that did not end the slicing.
Found Update::counted(const Look& look) {
  const auto found = look();
  if (found == Found::under_way && timeline_ != nullptr) ++timeline_->looks.between_slices;
  return found;
}

/// Brings the rows of a strip. Multiplications between looks do not belong to the interchange's time.
void Update::bring_rows(const Factors& factors, const Strip& strip, bool pairwise, const Between& between) {
  const auto& panel = factors.panel;
  std::optional<ScopedPhase> scope;
  scope.emplace(timeline_, Phase::interchange, panel.index());
  const Payload payload{&factors.interchanges, &panel.shape(), strip.n, strip.a, strip.u};
  const Between outside = [&] {
    scope.reset();
    between();
    scope.emplace(timeline_, Phase::interchange, panel.index());
  };
  if (pairwise)
    binary_exchange_.run(payload, outside);
  else
    spread_roll_.run(payload, outside);
}

blas::Out Update::u_at(const Panel& panel, const Strip& strip, std::int64_t first) const {
  if (alone()) return strip.a.at(panel.shape().top, first).transposed();
  return {strip.u.data + first * strip.u.column_step,
          u_storage_ == Storage::plain ? strip.u.column_step : strip.u.slot_step};
}

/// Brings U of some columns, where the block lives also to its place in the matrix.
void Update::bring_u(Factors& factors, const Strip& strip, std::int64_t first, std::int64_t n) {
  const auto& panel = factors.panel;
  const auto& at = panel.shape();
  if (alone()) {
    const ScopedPhase scope(timeline_, Phase::interchange, panel.index());
    interchange(factors.interchanges, at.top, at.width, n, strip.a.at(0, first), scratch_.data());
  }
  const ScopedPhase scope(timeline_, Phase::solve, panel.index());
  factors.solver.solve(n, u_at(panel, strip, first), u_storage_);
  if (alone() || at.owner.row != shape_.at.row) return;
  block_rows_.clear();
  for (std::int64_t i = 0; i < at.width; ++i) block_rows_.push_back({at.top + i, i});
  const RowBuffer u{strip.u.data + first * strip.u.column_step, strip.u.slot_step, strip.u.column_step};
  put_rows(block_rows_, n, u, strip.a.at(0, first));
}

/// Does the next product, of so many rows at most.
void Update::slice(Factors& factors, const Strip& strip, Position& place, std::int64_t most) {
  const auto& panel = factors.panel;
  const auto& at = panel.shape();
  const auto rows = std::min(most, at.rows - place.row);
  if (!place.solved)
    for (std::int64_t c = 0; c < strip.n; c += columns_in_cache)
      bring_u(factors, strip, c, std::min(columns_in_cache, strip.n - c));
  const ScopedPhase scope(timeline_, Phase::multiply, panel.index());
  // Of the matrix, which is stored by rows, the transposed product: that of U and L, both transposed.
  const auto of_u = u_storage_ == Storage::plain ? Op::transposed : Op::plain;
  blas_->gemm(of_u, Op::transposed, strip.n, rows, at.width, -1, in(u_at(panel, strip, 0)),
              in(panel.rows().at(place.row, 0)), 1, strip.a.at(at.below + place.row, 0).transposed());
  place = {true, place.row + rows};
}

}  // namespace steelyard::hpcc::hpl
