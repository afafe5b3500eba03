// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/lane_transforms.hpp"

#include <algorithm>

#include "fourier/roots.hpp"
#include "suites/hpcc/fft/factors.hpp"
#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {

using fourier::Cells;
using fourier::Lengths;
using fourier::run_passes;

LaneTransforms::LaneTransforms(std::int64_t n)
    : a_(two_factors(n).n1),
      b_(n / a_),
      first_(fourier::radix_passes(a_, Lengths::smooth)),
      second_(fourier::radix_passes(b_, Lengths::smooth)),
      work_(2 * std::max(a_, b_)) {
  const fourier::Roots roots(n);
  for (std::int64_t q = 0; q < b_; ++q)
    for (std::int64_t k = 0; k < a_; ++k) twiddles_.push_back(roots.exact(q * k));
}

void LaneTransforms::run(LaneCell* cells) const noexcept {
  run_widest([ =, this ]() __attribute__((always_inline)) {
    const std::int64_t row = b_ + 1;
    for (std::int64_t q = 0; q < b_; ++q) {
      const Cells<Line> column{cells + q, row};
      run_passes<Lengths::smooth>(first_, column, column, work_.data(), twiddles_.data() + q * a_);
    }
    for (std::int64_t k = 0; k < a_; ++k) {
      const Cells<Line> line{cells + k * row};
      run_passes<Lengths::smooth>(second_, line, line, work_.data(), nullptr);
    }
  });
}

}  // namespace steelyard::hpcc
