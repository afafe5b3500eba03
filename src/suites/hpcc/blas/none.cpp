// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc::blas {

bool available() {
  return false;
}

void multiply(std::int64_t, double, const double*, const double*, double, double*) noexcept {}

void set_threads(int) noexcept {}

int threads() noexcept {
  return 1;
}

std::string library() {
  return "";
}

std::string kernel() {
  return "";
}

}  // namespace steelyard::hpcc::blas
