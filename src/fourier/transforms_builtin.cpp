// SPDX-License-Identifier: Apache-2.0
#include "fourier/radix_passes.hpp"
#include "fourier/transforms.hpp"

namespace steelyard::fourier {
namespace {

static_assert(sizeof(Cell<double>) == sizeof(Complex));

Cell<double>* cells(Complex* values) {
  return reinterpret_cast<Cell<double>*>(values);
}

}  // namespace

struct Transforms::Plan {
  TransformSet set;
  std::vector<RadixPass> passes;
  Cell<double>* work;
};

std::string_view library(Planning) {
  return own_transforms;
}

std::int64_t work_elements(std::int64_t n) {
  return 2 * n;
}

std::int64_t plan_elements(std::int64_t n) {
  return work_elements(n) + table_elements(n);
}

Transforms::Transforms(const TransformSet& set, Manner, Arrays, std::span<Complex> work)
    : plan_(std::make_unique<Plan>(Plan{set, radix_passes(set.n, Lengths::all), cells(work.data())})) {}

Transforms::Transforms(Transforms&&) noexcept = default;
Transforms& Transforms::operator=(Transforms&&) noexcept = default;
Transforms::~Transforms() = default;

void Transforms::run(Complex* in, Complex* out) const noexcept {
  const TransformSet& set = plan_->set;
  for (std::int64_t t = 0; t < set.count; ++t)
    run_passes<Lengths::all>(plan_->passes, Cells{cells(in + t * set.distance), set.stride},
                             Cells{cells(out + t * set.distance), set.stride}, Cells{plan_->work}, nullptr);
}

}  // namespace steelyard::fourier
