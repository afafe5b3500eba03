// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/hpcc/fft/lane_transforms.hpp"
#include "suites/hpcc/fft/transforms.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"

namespace steelyard::hpcc {

static_assert(sizeof(Cell<double>) == sizeof(Complex));

struct WholeTransform::Plan {
  explicit Plan(std::int64_t n) : elements(n), passes(radix_passes(n)), work(2 * n) {}
  std::int64_t elements;
  std::vector<RadixPass> passes;
  HugeArray<Cell<double>> work;
};

std::string_view transform_library() {
  return own_transforms;
}

WholeTransform::WholeTransform(std::int64_t n, Complex*, Complex*) : plan_(std::make_unique<Plan>(n)) {}

WholeTransform::WholeTransform(WholeTransform&&) noexcept = default;
WholeTransform& WholeTransform::operator=(WholeTransform&&) noexcept = default;
WholeTransform::~WholeTransform() = default;

void WholeTransform::run(const Complex* in, Complex* out) const noexcept {
  std::copy_n(in, plan_->elements, out);
  run_passes(plan_->passes, Cells<double>{reinterpret_cast<Cell<double>*>(out)}, plan_->work.data(), nullptr);
}

}  // namespace steelyard::hpcc
