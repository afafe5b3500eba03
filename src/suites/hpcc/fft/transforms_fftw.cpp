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

}  // namespace

struct WholeTransform::Plan {
  fftw_plan plan = nullptr;
  ~Plan() { fftw_destroy_plan(plan); }
};

std::string_view transform_library() {
  return "FFTW3";
}

WholeTransform::WholeTransform(std::int64_t n, Complex* in, Complex* out) : plan_(std::make_unique<Plan>()) {
  fftw_set_timelimit(longest_planning_s);
  const fftw_iodim64 length{static_cast<std::ptrdiff_t>(n), 1, 1};
  plan_->plan = fftw_plan_guru64_dft(1, &length, 0, nullptr, raw(in), raw(out), FFTW_FORWARD, FFTW_MEASURE);
  if (plan_->plan == nullptr) throw std::runtime_error("FFTW has no plan for this length");
}

WholeTransform::WholeTransform(WholeTransform&&) noexcept = default;
WholeTransform& WholeTransform::operator=(WholeTransform&&) noexcept = default;
WholeTransform::~WholeTransform() = default;

void WholeTransform::run(const Complex* in, Complex* out) const noexcept {
  fftw_execute_dft(plan_->plan, raw(const_cast<Complex*>(in)), raw(out));
}

}  // namespace steelyard::hpcc
