// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/plain_fft.hpp"
#include "suites/ftio/serial_transforms.hpp"

namespace steelyard::ftio {

struct SerialTransforms::Plan {
  TransformSet set;
  PlainFft transform;
};

std::string_view transform_library() {
  return "built-in";
}

SerialTransforms::SerialTransforms(const TransformSet& set, Complex*, Complex*)
    : plan_(std::make_unique<Plan>(Plan{set, PlainFft(set.n)})) {}

SerialTransforms::SerialTransforms(SerialTransforms&&) noexcept = default;
SerialTransforms& SerialTransforms::operator=(SerialTransforms&&) noexcept = default;
SerialTransforms::~SerialTransforms() = default;

void SerialTransforms::run(Complex* in, Complex* out) const noexcept {
  const TransformSet& set = plan_->set;
  for (std::int64_t t = 0; t < set.count; ++t)
    plan_->transform.run(in + t * set.distance, out + t * set.distance, set.stride);
}

}  // namespace steelyard::ftio
