// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/panel.hpp"

#include <algorithm>

namespace steelyard::hpcc::hpl {

Panel::Panel(const Shape& shape, int together)
    : memory_(std::make_shared<machine::HugeArray<double>>(together * panel_length(shape))),
      data_(memory_->data()) {
  std::ranges::fill(memory_->span(), 0.0);
}

Panel Panel::of_all(const Shape& widened) {
  Panel panel;
  panel.memory_ = std::make_shared<machine::HugeArray<double>>(block_length(widened));
  std::ranges::fill(panel.memory_->span(), 0.0);
  panel.data_ = panel.memory_->data();
  return panel;
}

Panel Panel::behind(const Panel& before) {
  Panel panel = before;
  ++panel.place_;
  return panel;
}

void Panel::become(const Shape& shape, std::int64_t k, Storage l1) {
  index_ = k;
  shape_ = panel_shape(shape, k);
  next = shape_.right;
  const auto before = place_ * shape.nb;  // columns of the group, and rows of its blocks
  const auto top = panel_head + before, below = top + shape_.width;
  leading_ = panel_leading(below + shape_.rows);
  columns_ = data_ + before * leading_;
  block_ = {columns_ + top, shape_.width, leading_, l1};
  rows_ = {columns_ + below, leading_};
}

void Panel::become_all(std::span<const Panel* const> group) {
  const auto& first = *group.front();
  const auto& last = *group.back();
  index_ = first.index_;
  shape_ = last.shape_;
  shape_.first = first.shape_.first;
  shape_.width = last.shape_.end() - shape_.first;
  shape_.owner = first.shape_.owner;
  shape_.top = first.shape_.top;
  shape_.column = first.shape_.column;
  next = shape_.right;
  leading_ = panel_leading(panel_head + shape_.width);
  columns_ = data_;
  block_ = {columns_ + panel_head, shape_.width, leading_, first.block_.storage};
  rows_ = first.rows_.at(last.shape_.below - first.shape_.below, 0);
  for (const Panel* one : group) {
    const auto before = one->shape_.first - shape_.first, width = one->shape_.width;
    for (std::int64_t j = 0; j < width; ++j) {
      pivot(before + j) = one->pivot(j);
      for (auto i = j + 1; i < width; ++i) block_(before + i, before + j) = one->block_(i, j);
      for (auto i = before + width; i < shape_.width; ++i)
        block_(i, before + j) = one->rows_(i - before - width, j);
    }
  }
}

std::vector<double> Panel::pivots() const {
  std::vector<double> rows(static_cast<std::size_t>(shape_.width));
  for (std::int64_t j = 0; j < shape_.width; ++j) rows[static_cast<std::size_t>(j)] = pivot(j);
  return rows;
}

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
