// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>

#include <stdexcept>

#include "fourier/transforms.hpp"

namespace steelyard::fourier {
namespace {

/// Seconds in which FFTW tries ways for a length; afterwards it guesses more and more of the rest.
constexpr double longest_planning_s = 10;

fftw_complex* raw(Complex* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

fftw_iodim64 dimension(std::int64_t n, std::int64_t apart) {
  return {static_cast<std::ptrdiff_t>(n), static_cast<std::ptrdiff_t>(apart),
          static_cast<std::ptrdiff_t>(apart)};
}

unsigned flags(Planning planning, Input input) {
  return (planning == Planning::tried ? FFTW_MEASURE : FFTW_ESTIMATE) |
         (input == Input::used_up ? FFTW_DESTROY_INPUT : 0U);
}

}  // namespace

struct Transforms::Plan {
  fftw_plan plan = nullptr;
  ~Plan() { fftw_destroy_plan(plan); }
};

std::string_view library(Planning planning) {
  return planning == Planning::tried ? "FFTW3" : "FFTW3 (estimated plan)";
}

std::int64_t work_elements(std::int64_t) {
  return 0;
}

std::int64_t plan_elements(std::int64_t) {
  return 0;
}

Transforms::Transforms(const TransformSet& set, Manner manner, Arrays arrays, std::span<Complex>)
    : plan_(std::make_unique<Plan>()) {
  fftw_set_timelimit(longest_planning_s);
  const auto length = dimension(set.n, set.stride), loop = dimension(set.count, set.distance);
  plan_->plan = fftw_plan_guru64_dft(1, &length, 1, &loop, raw(arrays.in), raw(arrays.out), FFTW_FORWARD,
                                     flags(manner.planning, manner.input));
  if (plan_->plan == nullptr) throw std::runtime_error("FFTW has no plan for this length");
}

Transforms::Transforms(Transforms&&) noexcept = default;
Transforms& Transforms::operator=(Transforms&&) noexcept = default;
Transforms::~Transforms() = default;

void Transforms::run(Complex* in, Complex* out) const noexcept {
  fftw_execute_dft(plan_->plan, raw(in), raw(out));
}

}  // namespace steelyard::fourier
