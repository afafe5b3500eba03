// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>

#include <stdexcept>

#include "suites/hpcc/fft/transforms.hpp"

namespace steelyard::hpcc {
namespace {

/// For the first ways that FFTW tries of a length; more and more of the rest is guessed afterwards.
constexpr double longest_planning_s = 10;

fftw_complex* raw(Complex* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

fftw_iodim64 dimension(std::int64_t n, std::int64_t in, std::int64_t out) {
  return {static_cast<std::ptrdiff_t>(n), static_cast<std::ptrdiff_t>(in), static_cast<std::ptrdiff_t>(out)};
}

}  // namespace

struct Transforms::Plan {
  fftw_plan plan = nullptr;
  ~Plan() { fftw_destroy_plan(plan); }
};

std::string_view transform_library() {
  return "FFTW3";
}

Transforms::Transforms(const TransformShape& shape, Complex* in, Complex* out)
    : plan_(std::make_unique<Plan>()) {
  fftw_set_timelimit(longest_planning_s);
  const auto length = dimension(shape.n, shape.in_stride, shape.out_stride);
  const auto loop = dimension(shape.count, shape.in_distance, shape.out_distance);
  plan_->plan = fftw_plan_guru64_dft(1, &length, 1, &loop, raw(in), raw(out), FFTW_FORWARD, FFTW_MEASURE);
  if (plan_->plan == nullptr) throw std::runtime_error("FFTW has no plan for this shape");
}

Transforms::Transforms(Transforms&&) noexcept = default;
Transforms& Transforms::operator=(Transforms&&) noexcept = default;
Transforms::~Transforms() = default;

void Transforms::run(const Complex* in, Complex* out) const noexcept {
  fftw_execute_dft(plan_->plan, raw(const_cast<Complex*>(in)), raw(out));
}

}  // namespace steelyard::hpcc
