// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/panel.hpp"

#include <algorithm>

namespace steelyard::hpcc::hpl {

Panel::Panel(const Shape& shape, bool in_place)
    : memory_(message_length(in_place ? 0 : shape.local_rows(),
                             std::min(shape.nb, std::max<std::int64_t>(shape.n, 1)))),
      in_place_(in_place) {
  std::ranges::fill(memory_.span(), 0.0);
}

void Panel::become(const Shape& shape, std::int64_t k, Storage l1, blas::Out rows) {
  index_ = k;
  shape_ = panel_shape(shape, k);
  next = shape_.right;
  const auto leading = panel_leading(in_place_ ? 0 : shape_.rows);
  rows_ = in_place_ ? rows : blas::Out{memory_.data(), std::max<std::int64_t>(leading, 1)};
  double* const block = memory_.data() + leading * shape_.width;
  block_ = {block, shape_.width, l1};
  pivots_ = block + shape_.width * shape_.width;
}

std::int64_t Panel::length() const {
  return message_length(in_place_ ? 0 : shape_.rows, shape_.width);
}

}  // namespace steelyard::hpcc::hpl
