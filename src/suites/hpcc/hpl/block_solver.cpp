// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/block_solver.hpp"

#include <algorithm>

namespace steelyard::hpcc::hpl {

using blas::in;
using blas::Op;

namespace {

constexpr std::int64_t largest_leaf = 32;

std::int64_t first_part(std::int64_t depth) {
  return (depth / 2 + 7) / 8 * 8;
}

/// Inverse of the unit lower triangle of the block from (first, first) on, by columns.
std::vector<double> inverse_of(const Block& block, std::int64_t first, std::int64_t depth,
                               const blas::Routines& routines) {
  std::vector<double> identity(static_cast<std::size_t>(depth * depth));
  for (std::int64_t i = 0; i < depth; ++i) identity[static_cast<std::size_t>(i + i * depth)] = 1;
  const auto triangle = block.storage == Storage::plain ? blas::Triangle::lower : blas::Triangle::upper;
  routines.trsm(blas::Side::left, triangle, block.op(), blas::Diagonal::unit, depth, depth,
                in(block.at(first, first)), {identity.data(), depth});
  return identity;
}

}  // namespace

void BlockSolver::become(const Block& block, const blas::Routines& routines) {
  blas_ = &routines;
  block_ = block;
  leaves_.clear();
  split(0, block.width);
}

void BlockSolver::split(std::int64_t first, std::int64_t depth) {
  if (depth <= largest_leaf) {
    leaves_.push_back({first, depth, inverse_of(block_, first, depth, *blas_)});
    return;
  }
  split(first, first_part(depth));
  split(first + first_part(depth), depth - first_part(depth));
}

void BlockSolver::solve(std::int64_t n, blas::Out u, Storage storage) {
  next_leaf_ = 0;
  copy_.resize(std::max(copy_.size(), static_cast<std::size_t>(std::min(block_.width, largest_leaf) * n)));
  recurse(0, block_.width, n, u, storage);
}

void BlockSolver::recurse(std::int64_t first, std::int64_t depth, std::int64_t n, blas::Out u,
                          Storage storage) {
  if (depth <= largest_leaf) return multiply(leaves_[next_leaf_++], n, u, storage);
  const auto half = first_part(depth), next = first + half, rest = depth - half;
  recurse(first, half, n, u, storage);
  const auto l = in(block_.at(next, first));
  if (storage == Storage::plain)
    blas_->gemm(block_.op(), Op::plain, rest, n, half, -1, l, in(u.at(first, 0)), 1, u.at(next, 0));
  else
    blas_->gemm(Op::plain, block_.storage == Storage::plain ? Op::transposed : Op::plain, n, rest, half, -1,
                in(u.at(0, first)), l, 1, u.at(0, next));
  recurse(next, rest, n, u, storage);
}

void BlockSolver::multiply(const Leaf& leaf, std::int64_t n, blas::Out u, Storage storage) {
  const blas::In inverse{leaf.inverse.data(), leaf.depth};
  const bool plain = storage == Storage::plain;
  const auto part = plain ? u.at(leaf.first, 0) : u.at(0, leaf.first);
  const auto rows = plain ? leaf.depth : n, columns = plain ? n : leaf.depth;
  const blas::Out copy{copy_.data(), rows};
  for (std::int64_t j = 0; j < columns; ++j) std::copy_n(&part(0, j), rows, &copy(0, j));
  if (plain)
    blas_->gemm(Op::plain, Op::plain, rows, columns, leaf.depth, 1, inverse, in(copy), 0, part);
  else
    blas_->gemm(Op::plain, Op::transposed, rows, columns, leaf.depth, 1, in(copy), inverse, 0, part);
}

}  // namespace steelyard::hpcc::hpl
