// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include <utility>

#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {
namespace {

// As many chains as registers allow: more than two units of five cycles each can have under way.
using WideChains = std::make_index_sequence<24>;
using NarrowChains = std::make_index_sequence<12>;

/// A start value that the compiler does not know: chains that it knew to be equal would become one.
template <std::size_t>
double unknown(const volatile double& value) noexcept {
  return value;
}

template <int lanes, class Vector>
__attribute__((always_inline)) inline double mean_of(const Vector& values) noexcept {
  double sum = 0;
  for (int lane = 0; lane < lanes; ++lane) sum += values[lane];
  return sum / lanes;
}

template <std::size_t... chain>
__attribute__((target("avx512f"))) double wide(std::int64_t steps, std::index_sequence<chain...>) noexcept {
  const volatile double one = 1;
  const __m512d half = _mm512_set1_pd(0.5);
  __m512d x[] = {_mm512_set1_pd(unknown<chain>(one))...};
  for (std::int64_t i = 0; i < steps; ++i) ((x[chain] = _mm512_fmadd_pd(x[chain], half, half)), ...);
  return mean_of<8>((x[chain] + ...)) / sizeof...(chain);
}

template <std::size_t... chain>
__attribute__((target("avx2,fma"))) double narrow(std::int64_t steps,
                                                  std::index_sequence<chain...>) noexcept {
  const volatile double one = 1;
  const __m256d half = _mm256_set1_pd(0.5);
  __m256d x[] = {_mm256_set1_pd(unknown<chain>(one))...};
  for (std::int64_t i = 0; i < steps; ++i) ((x[chain] = _mm256_fmadd_pd(x[chain], half, half)), ...);
  return mean_of<4>((x[chain] + ...)) / sizeof...(chain);
}

double run_wide(std::int64_t steps) noexcept {
  return wide(steps, WideChains{});
}
double run_narrow(std::int64_t steps) noexcept {
  return narrow(steps, NarrowChains{});
}

}  // namespace

MultiplyAdds widest_multiply_adds() {
  if (widest_isa() == Isa::avx512) return {run_wide, 2.0 * 8 * WideChains::size()};
  if (widest_isa() == Isa::avx2) return {run_narrow, 2.0 * 4 * NarrowChains::size()};
  return plain_multiply_adds();
}

}  // namespace steelyard::hpcc
