// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/short_transforms.hpp"
#include "suites/hpcc/fft/transforms.hpp"

namespace steelyard::hpcc {

struct Transforms::Plan {
  ShortTransforms transforms;
};

std::string_view transform_library() {
  return "steelyard(built-in)";
}

Transforms::Transforms(const TransformShape& shape, Complex*, Complex*)
    : plan_(std::make_unique<Plan>(Plan{ShortTransforms(shape)})) {}

Transforms::Transforms(Transforms&&) noexcept = default;
Transforms& Transforms::operator=(Transforms&&) noexcept = default;
Transforms::~Transforms() = default;

void Transforms::run(const Complex* in, Complex* out) const noexcept {
  plan_->transforms.run(in, out);
}

}  // namespace steelyard::hpcc
