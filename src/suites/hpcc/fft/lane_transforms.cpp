// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/lane_transforms.hpp"

#include <algorithm>

#include "suites/hpcc/fft/factors.hpp"
#include "suites/hpcc/fft/roots.hpp"
#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {

LaneTransforms::LaneTransforms(std::int64_t n)
    : a_(two_factors(n).n1),
      b_(n / a_),
      first_(radix_passes(a_)),
      second_(radix_passes(b_)),
      work_(2 * std::max(a_, b_)) {
  const Roots roots(n);
  for (std::int64_t q = 0; q < b_; ++q)
    for (std::int64_t k = 0; k < a_; ++k) twiddles_.push_back(roots.exact(q * k));
}

void LaneTransforms::run(LaneCell* cells) const noexcept {
  run_widest([ =, this ]() __attribute__((always_inline)) {
    const std::int64_t row = b_ + 1;
    for (std::int64_t q = 0; q < b_; ++q)
      run_passes(first_, Cells<Line>{cells + q, row}, work_.data(), twiddles_.data() + q * a_);
    for (std::int64_t k = 0; k < a_; ++k)
      run_passes(second_, Cells<Line>{cells + k * row}, work_.data(), nullptr);
  });
}

}  // namespace steelyard::hpcc
