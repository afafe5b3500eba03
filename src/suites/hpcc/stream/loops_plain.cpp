// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/stream/loops.hpp"

namespace steelyard::hpcc {
namespace {

void copy(double* __restrict to, const double* __restrict from, std::size_t n) noexcept {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  });
}

void scale(double* __restrict to, const double* __restrict from, double s, std::size_t n) noexcept {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) to[i] = s * from[i];
  });
}

void add(double* __restrict to, const double* __restrict x, const double* __restrict y,
         std::size_t n) noexcept {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) to[i] = x[i] + y[i];
  });
}

void triad(double* __restrict to, const double* __restrict x, const double* __restrict y, double s,
           std::size_t n) noexcept {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) to[i] = x[i] + s * y[i];
  });
}

constexpr StreamLoops loops{copy, scale, add, triad};

}  // namespace

const StreamLoops& plain_loops() {
  return loops;
}

}  // namespace steelyard::hpcc
