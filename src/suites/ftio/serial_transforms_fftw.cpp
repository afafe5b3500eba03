// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>

#include <stdexcept>

#include "suites/ftio/serial_transforms.hpp"

namespace steelyard::ftio {
namespace {

fftw_complex* raw(Complex* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

fftw_iodim64 dimension(std::int64_t n, std::int64_t apart) {
  return {static_cast<std::ptrdiff_t>(n), static_cast<std::ptrdiff_t>(apart),
          static_cast<std::ptrdiff_t>(apart)};
}

}  // namespace

struct SerialTransforms::Plan {
  fftw_plan plan = nullptr;
  ~Plan() { fftw_destroy_plan(plan); }
};

std::string_view transform_library() {
  return "FFTW3 (estimated plan)";
}

SerialTransforms::SerialTransforms(const TransformSet& set, Complex* in, Complex* out)
    : plan_(std::make_unique<Plan>()) {
  const auto length = dimension(set.n, set.stride), loop = dimension(set.count, set.distance);
  plan_->plan = fftw_plan_guru64_dft(1, &length, 1, &loop, raw(in), raw(out), FFTW_FORWARD,
                                     FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  if (plan_->plan == nullptr) throw std::runtime_error("FFTW has no plan for this length");
}

SerialTransforms::SerialTransforms(SerialTransforms&&) noexcept = default;
SerialTransforms& SerialTransforms::operator=(SerialTransforms&&) noexcept = default;
SerialTransforms::~SerialTransforms() = default;

void SerialTransforms::run(Complex* in, Complex* out) const noexcept {
  fftw_execute_dft(plan_->plan, raw(in), raw(out));
}

}  // namespace steelyard::ftio
