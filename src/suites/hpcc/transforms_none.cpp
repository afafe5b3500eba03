// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "suites/hpcc/transforms.hpp"

namespace steelyard::hpcc {

struct Transforms::Plan {};

bool has_transforms() {
  return false;
}

std::string_view transform_library() {
  return "";
}

Transforms::Transforms(const TransformShape&, Complex*, Complex*) {
  throw std::runtime_error("built without a library of Fourier transforms");
}

Transforms::Transforms(Transforms&&) noexcept = default;
Transforms& Transforms::operator=(Transforms&&) noexcept = default;
Transforms::~Transforms() = default;

void Transforms::run(const Complex*, Complex*) const noexcept {}

}  // namespace steelyard::hpcc
