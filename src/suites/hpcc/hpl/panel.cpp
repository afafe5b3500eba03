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

}  // namespace steelyard::hpcc::hpl
