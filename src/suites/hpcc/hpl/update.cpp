// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/update.hpp"

#include <algorithm>
#include <optional>
#include <thread>

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr std::int64_t most_strips = 4;

std::int64_t buffer_columns(const Shape& shape, const ColumnMemory& shared, int rows_of_u) {
  if (shape.grid.rows == 1 || shared.available()) return 0;
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

Update::Update(const mpi::Communicator& column, ColumnMemory& shared, SharedRows& rows, const Shape& shape,
               const Variant& variant, const blas::Routines& routines)
    : blas_(&routines),
      shared_(shared.available() ? &shared : nullptr),
      rows_(rows.available() ? &rows : nullptr),
      shape_(shape),
      variant_(variant),
      // In the matrix U lies as that does.
      u_storage_(shape.grid.rows == 1 ? Storage::transposed : variant.u),
      u_(touched(buffer_columns(shape, shared, 1))),
      packed_(touched(buffer_columns(shape, shared, 2))),
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
  if (shared_ != nullptr)
    run_shared(factors, a, n, look);
  else if (!alone())
    run_strips(factors, a, n, look);
  else if (!run_alone(factors, {a, n, {}}, to == shape_.local_columns(), look))
    return;
  factors.place = {};
  panel.next = to;
}

/// Updates columns with one process row; `rest`: all that are left, whose rows others may take. No other product is begun
/// until theirs is finished but those for panels that a look found.
bool Update::run_alone(Factors& factors, const Strip& strip, bool rest, const Look& look) {
  if (!rest || rows_ == nullptr) return run_slices(factors, strip, factors.place, look);
  if (!factors.place.solved) {
    bring_all_u(factors, strip);
    rows_->offer(product(factors.panel, strip));
    factors.place.solved = true;
  }
  return run_offered(look);
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

/// Updates with rows of U in shared memory: every process lays its rows there and solves its share of the columns.
void Update::run_shared(Factors& factors, RowMatrix a, std::int64_t n, const Look& look) {
  const auto& panel = factors.panel;
  const auto width = panel.shape().width, leading = ColumnMemory::leading(n);
  shared_->turn_rows_of_u();
  double* const u = shared_->rows_of_u();
  const Strip strip{a, n, u_storage_ == Storage::plain ? RowBuffer{u, 1, width} : by_rows(u, leading)};
  const Between between = [&look] { static_cast<void>(look()); };
  {
    const ScopedPhase scope(timeline_, Phase::interchange, panel.index());
    lay_rows(factors, strip);
    shared_->meet(between);
    take_displaced(factors, strip);
  }
  solve_share(factors, strip);
  if (rows_ != nullptr) rows_->offer(product(panel, strip));
  {
    const ScopedPhase scope(timeline_, Phase::interchange, panel.index());
    shared_->meet(between);
    keep_u(panel, strip, 0, n);
  }
  Position place;
  if (rows_ != nullptr)
    run_offered(look);
  else
    run_slices(factors, strip, place, look);
}

/// Does the product that this process has offered, with others' help. Where all of a process column wait for each other
/// next, theirs too. Returns whether it is finished; with one process row a look may find work before.
bool Update::run_offered(const Look& look) {
  while (true) {
    const auto found = counted(look);
    if (found == Found::work) return false;
    const auto most = found == Found::nothing ? shape_.n : variant_.slice_rows;
    if (do_some_of(rows_->member(), most)) continue;
    if (alone() && rows_->finished()) return true;
    if (help_with(most)) continue;
    if (rows_->finished()) return true;
    std::this_thread::yield();
  }
}

bool Update::do_some_of(int member, std::int64_t most) {
  const auto some = rows_->take(member, (variant_.slice_rows + 15) / 16, most);
  if (!some) return false;
  multiply(*some);
  rows_->finish(member, some->rows);
  return true;
}

bool Update::help_with(std::int64_t most) {
  for (int distance = 1; distance < rows_->members(); ++distance)
    if (do_some_of((rows_->member() + distance) % rows_->members(), most)) return true;
  return false;
}

bool Update::can_help() const {
  if (rows_ == nullptr) return false;
  for (int member = 0; member < rows_->members(); ++member)
    if (member != rows_->member() && rows_->has_rows(member)) return true;
  return false;
}

bool Update::help() {
  return can_help() && help_with(variant_.slice_rows);
}

/// Lays the rows of this process that come into the block there. The block's owner lays those that leave it beside them.
void Update::lay_rows(const Factors& factors, const Strip& strip) {
  const auto& at = factors.panel.shape();
  const bool owner = at.owner.row == shape_.at.row;
  std::vector<Pair> into, out, displaced;
  for (const auto& one : factors.interchanges.coming[static_cast<std::size_t>(shape_.at.row)]) {
    into.push_back({one.row, one.slot});
    out.push_back({one.row, at.top + one.displaced});
  }
  if (owner)
    for (const auto& one : factors.interchanges.staying) into.push_back({at.top + one.from, one.slot});
  take_rows(into, strip.n, strip.a, strip.u);
  if (!owner) return;
  put_rows(out, strip.n, by_rows(strip.a.data, strip.a.leading), strip.a);
  for (int row = 0; row < shape_.grid.rows; ++row)
    if (row != shape_.at.row)
      for (const auto& one : factors.interchanges.coming[static_cast<std::size_t>(row)])
        displaced.push_back({at.top + one.displaced, one.displaced});
  take_rows(displaced, strip.n, strip.a, by_rows(shared_->displaced_rows(), ColumnMemory::leading(strip.n)));
}

void Update::take_displaced(const Factors& factors, const Strip& strip) {
  if (factors.panel.shape().owner.row == shape_.at.row) return;
  std::vector<Pair> pairs;
  for (const auto& one : factors.interchanges.coming[static_cast<std::size_t>(shape_.at.row)])
    pairs.push_back({one.row, one.displaced});
  put_rows(pairs, strip.n, by_rows(shared_->displaced_rows(), ColumnMemory::leading(strip.n)), strip.a);
}

/// Solves the triangle for this process's part of the columns, whole lines of memory.
void Update::solve_share(Factors& factors, const Strip& strip) {
  constexpr std::int64_t line = 8;
  const ScopedPhase scope(timeline_, Phase::solve, factors.panel.index());
  const auto lines = (strip.n + line - 1) / line;
  const auto bound = [&](int row) { return std::min(strip.n, lines * row / shape_.grid.rows * line); };
  const auto end = bound(shape_.at.row + 1);
  for (auto c = bound(shape_.at.row); c < end; c += columns_in_cache)
    factors.solver.solve(std::min(columns_in_cache, end - c), u_at(factors.panel, strip, c), u_storage_);
}

/// Copies U of some columns to its place in the matrix, where the block lives.
void Update::keep_u(const Panel& panel, const Strip& strip, std::int64_t first, std::int64_t n) {
  const auto& at = panel.shape();
  if (at.owner.row != shape_.at.row) return;
  block_rows_.clear();
  for (std::int64_t i = 0; i < at.width; ++i) block_rows_.push_back({at.top + i, i});
  const RowBuffer u{strip.u.data + first * strip.u.column_step, strip.u.slot_step, strip.u.column_step};
  put_rows(block_rows_, n, u, strip.a.at(0, first));
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
  if (!alone()) keep_u(panel, strip, first, n);
}

void Update::bring_all_u(Factors& factors, const Strip& strip) {
  for (std::int64_t c = 0; c < strip.n; c += columns_in_cache)
    bring_u(factors, strip, c, std::min(columns_in_cache, strip.n - c));
}

/// Does the next product, of so many rows at most.
void Update::slice(Factors& factors, const Strip& strip, Position& place, std::int64_t most) {
  const auto all = product(factors.panel, strip);
  const auto rows = std::min(most, all.rows - place.row);
  if (!place.solved && shared_ == nullptr) bring_all_u(factors, strip);
  multiply(all.part(place.row, rows));
  place = {true, place.row + rows};
}

Product Update::product(const Panel& panel, const Strip& strip) const {
  const auto& at = panel.shape();
  return {panel.index(),
          at.rows,
          strip.n,
          at.width,
          strip.a.at(at.below, 0),
          in(panel.rows()),
          in(u_at(panel, strip, 0)),
          u_storage_ == Storage::plain ? Op::transposed : Op::plain};
}

void Update::multiply(const Product& product) const {
  const ScopedPhase scope(timeline_, Phase::multiply, product.panel);
  // Of the matrix, which is stored by rows, the transposed product: that of U and L, both transposed.
  blas_->gemm(product.of_u, Op::transposed, product.columns, product.rows, product.depth, -1, product.u,
              product.l, 1, product.c.transposed());
}

}  // namespace steelyard::hpcc::hpl
