// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/update.hpp"

#include <algorithm>

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr std::int64_t smallest_triangle = 24;  // that is not split
constexpr std::int64_t columns_in_cache = 256;  // whose rows of U stay in the cache of second level

std::int64_t buffer_columns(const Shape& shape, int rows_of_u) {
  if (shape.grid.rows == 1) return 0;
  return rows_of_u * std::min(shape.nb, shape.n) * shape.local_columns();
}

HugeArray<double> touched(std::int64_t n) {
  HugeArray<double> array(n);
  std::ranges::fill(array.span(), 0.0);
  return array;
}

void solve_small(const Block& block, std::int64_t d, std::int64_t depth, std::int64_t n, blas::Out u,
                 Storage storage) {
  const bool plain = block.storage == Storage::plain;
  const auto triangle = plain ? blas::Triangle::lower : blas::Triangle::upper;
  const auto l = in(block.at(d, d));
  if (storage == Storage::plain)
    blas::trsm(blas::Side::left, triangle, block.op(), blas::Diagonal::unit, depth, n, l, u.at(d, 0));
  else
    blas::trsm(blas::Side::right, triangle, plain ? Op::transposed : Op::plain, blas::Diagonal::unit, n,
               depth, l, u.at(0, d));
}

void solve(const Block& block, std::int64_t d, std::int64_t depth, std::int64_t n, blas::Out u,
           Storage storage) {
  if (depth <= smallest_triangle) return solve_small(block, d, depth, n, u, storage);
  const auto half = (depth / 2 + 7) / 8 * 8, next = d + half, rest = depth - half;
  solve(block, d, half, n, u, storage);
  const auto l = in(block.at(next, d));
  if (storage == Storage::plain)
    blas::gemm(block.op(), Op::plain, rest, n, half, -1, l, in(u.at(d, 0)), 1, u.at(next, 0));
  else
    blas::gemm(Op::plain, block.storage == Storage::plain ? Op::transposed : Op::plain, n, rest, half, -1,
               in(u.at(0, d)), l, 1, u.at(0, next));
  solve(block, next, rest, n, u, storage);
}

}  // namespace

void solve_block(const Block& block, std::int64_t n, blas::Out u, Storage storage) {
  solve(block, 0, block.width, n, u, storage);
}

Update::Update(const mpi::Communicator& column, const Shape& shape, const Variant& variant)
    : shape_(shape),
      variant_(variant),
      u_storage_(shape.grid.rows == 1 ? Storage::plain : variant.u),
      u_(touched(buffer_columns(shape, 1))),
      packed_(touched(buffer_columns(shape, 2))),
      scratch_(static_cast<std::size_t>(std::min(shape.nb, shape.n))),
      binary_exchange_(column, packed_.span()),
      spread_roll_(column, variant.equilibration, packed_.span()) {}

void Update::run(Panel& panel, const Interchanges& interchanges, blas::Out matrix, std::int64_t to,
                 const Progress& progress) {
  const auto n = to - panel.next;
  if (n <= 0) return;
  const auto a = matrix.at(0, panel.next);
  if (!alone()) bring_rows(panel, interchanges, a, n, progress);
  std::int64_t done = 0;
  for (; done < n && !progress(); done += shape_.nb)
    slice(panel, interchanges, a, done, std::min(shape_.nb, n - done));
  if (done < n) slice(panel, interchanges, a, done, n - done);
  panel.next = to;
}

void Update::bring_rows(const Panel& panel, const Interchanges& interchanges, blas::Out a, std::int64_t n,
                        const Progress& progress) {
  const auto width = panel.shape().width;
  u_rows_ = u_storage_ == Storage::plain ? RowBuffer{u_.data(), 1, width} : by_rows(u_.data(), n);
  const Cargo cargo{&interchanges, &panel.shape(), n, a, u_rows_};
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

void Update::slice(const Panel& panel, const Interchanges& interchanges, blas::Out a, std::int64_t first,
                   std::int64_t n) {
  const auto& at = panel.shape();
  std::vector<Pair> block_rows;
  for (std::int64_t i = 0; i < at.width && !alone() && at.owner.row == shape_.at.row; ++i)
    block_rows.push_back({at.top + i, i});
  for (auto c = first; c < first + n; c += columns_in_cache) {
    const auto columns = std::min(columns_in_cache, first + n - c);
    if (alone()) interchange(interchanges, at.top, at.width, columns, a.at(0, c), scratch_.data());
    solve_block(panel.block(), columns, u_at(panel, a, c), u_storage_);
    const RowBuffer u{u_rows_.data + c * u_rows_.column_step, u_rows_.slot_step, u_rows_.column_step};
    put_rows(block_rows, columns, u, a.at(0, c));
  }
  const auto of_u = u_storage_ == Storage::plain ? Op::plain : Op::transposed;
  blas::gemm(Op::plain, of_u, at.rows, n, at.width, -1, in(panel.rows()), in(u_at(panel, a, first)), 1,
             a.at(at.below, first));
}

}  // namespace steelyard::hpcc::hpl
