// SPDX-License-Identifier: Apache-2.0
#include <arm_sve.h>

#include <utility>

#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {
namespace {

// More chains than two units of nine cycles, or four of four, can have under way; there are 32 registers.
using Chains = std::make_index_sequence<24>;

/// A value that the compiler does not know: chains that it knew to be equal would become one.
template <std::size_t = 0>
double unknown(const volatile double& value) noexcept {
  return value;
}

/// Runs chains in registers that are arguments: vectors whose length the compiler does
/// not know cannot be elements.
template <class... Vector>
__attribute__((target("+sve"))) double run_scalable(std::int64_t steps, svfloat64_t half,
                                                    Vector... x) noexcept {
  const svbool_t all = svptrue_b64();
  for (std::int64_t i = 0; i < steps; ++i) ((x = svmad_x(all, x, half, half)), ...);
  return (svaddv(all, x) + ...) / static_cast<double>(sizeof...(x) * svcntd());
}

template <std::size_t... chain>
__attribute__((target("+sve"))) double scalable(std::int64_t steps, std::index_sequence<chain...>) noexcept {
  const volatile double one = 1;
  return run_scalable(steps, svdup_f64(0.5), svdup_f64(unknown<chain>(one))...);
}

/// Runs chains in which 1 becomes 2 and 1 again: without SVE a multiply-add of vectors adds to what it
/// multiplies, or it needs copies.
template <std::size_t... chain>
double fixed(std::int64_t steps, std::index_sequence<chain...>) noexcept {
  using Pair = double __attribute__((vector_size(16)));
  const volatile double one = 1, half = 0.5;
  const Pair up = {unknown(one), unknown(one)}, down = {unknown(half), unknown(half)};
  Pair x[] = {Pair{unknown<chain>(one), unknown<chain>(one)}...};
  for (std::int64_t i = 0; i < steps; ++i) {
    ((x[chain] += x[chain] * up), ...);
    ((x[chain] -= x[chain] * down), ...);
  }
  return ((x[chain][0] + x[chain][1]) + ...) / (2 * sizeof...(chain));
}

__attribute__((target("+sve"))) double lanes() noexcept {
  return static_cast<double>(svcntd());
}

__attribute__((target("+sve"))) double run_scalable_chains(std::int64_t steps) noexcept {
  return scalable(steps, Chains{});
}
double run_fixed_chains(std::int64_t steps) noexcept {
  return fixed(steps, Chains{});
}

}  // namespace

MultiplyAdds widest_multiply_adds() {
  if (widest_isa() == Isa::sve) return {run_scalable_chains, 2 * lanes() * Chains::size()};
  return {run_fixed_chains, 2 * 2.0 * 2 * Chains::size()};
}

}  // namespace steelyard::hpcc
