// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/stream/loops.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::size_t whole(std::size_t n, std::size_t lanes) {
  return n - n % lanes;
}

// Each loop once for lines of 64 byte and once for pieces of 16; the rest of a vector by ordinary stores.
namespace wide {

__attribute__((target("avx512f"))) void copy(double* to, const double* from, std::size_t n) noexcept {
  const std::size_t end = whole(n, 8);
  for (std::size_t i = 0; i < end; i += 8) _mm512_stream_pd(to + i, _mm512_load_pd(from + i));
  for (std::size_t i = end; i < n; ++i) to[i] = from[i];
  _mm_sfence();
}

__attribute__((target("avx512f"))) void scale(double* to, const double* from, double s,
                                              std::size_t n) noexcept {
  const std::size_t end = whole(n, 8);
  const __m512d factor = _mm512_set1_pd(s);
  for (std::size_t i = 0; i < end; i += 8)
    _mm512_stream_pd(to + i, _mm512_mul_pd(factor, _mm512_load_pd(from + i)));
  for (std::size_t i = end; i < n; ++i) to[i] = s * from[i];
  _mm_sfence();
}

__attribute__((target("avx512f"))) void add(double* to, const double* x, const double* y,
                                            std::size_t n) noexcept {
  const std::size_t end = whole(n, 8);
  for (std::size_t i = 0; i < end; i += 8)
    _mm512_stream_pd(to + i, _mm512_add_pd(_mm512_load_pd(x + i), _mm512_load_pd(y + i)));
  for (std::size_t i = end; i < n; ++i) to[i] = x[i] + y[i];
  _mm_sfence();
}

__attribute__((target("avx512f"))) void triad(double* to, const double* x, const double* y, double s,
                                              std::size_t n) noexcept {
  const std::size_t end = whole(n, 8);
  const __m512d factor = _mm512_set1_pd(s);
  for (std::size_t i = 0; i < end; i += 8)
    _mm512_stream_pd(to + i, _mm512_fmadd_pd(factor, _mm512_load_pd(y + i), _mm512_load_pd(x + i)));
  for (std::size_t i = end; i < n; ++i) to[i] = x[i] + s * y[i];
  _mm_sfence();
}

constexpr StreamLoops loops{copy, scale, add, triad};

}  // namespace wide

namespace narrow {

void copy(double* to, const double* from, std::size_t n) noexcept {
  const std::size_t end = whole(n, 2);
  for (std::size_t i = 0; i < end; i += 2) _mm_stream_pd(to + i, _mm_load_pd(from + i));
  for (std::size_t i = end; i < n; ++i) to[i] = from[i];
  _mm_sfence();
}

void scale(double* to, const double* from, double s, std::size_t n) noexcept {
  const std::size_t end = whole(n, 2);
  const __m128d factor = _mm_set1_pd(s);
  for (std::size_t i = 0; i < end; i += 2) _mm_stream_pd(to + i, _mm_mul_pd(factor, _mm_load_pd(from + i)));
  for (std::size_t i = end; i < n; ++i) to[i] = s * from[i];
  _mm_sfence();
}

void add(double* to, const double* x, const double* y, std::size_t n) noexcept {
  const std::size_t end = whole(n, 2);
  for (std::size_t i = 0; i < end; i += 2)
    _mm_stream_pd(to + i, _mm_add_pd(_mm_load_pd(x + i), _mm_load_pd(y + i)));
  for (std::size_t i = end; i < n; ++i) to[i] = x[i] + y[i];
  _mm_sfence();
}

void triad(double* to, const double* x, const double* y, double s, std::size_t n) noexcept {
  const std::size_t end = whole(n, 2);
  const __m128d factor = _mm_set1_pd(s);
  for (std::size_t i = 0; i < end; i += 2)
    _mm_stream_pd(to + i, _mm_add_pd(_mm_load_pd(x + i), _mm_mul_pd(factor, _mm_load_pd(y + i))));
  for (std::size_t i = end; i < n; ++i) to[i] = x[i] + s * y[i];
  _mm_sfence();
}

constexpr StreamLoops loops{copy, scale, add, triad};

}  // namespace narrow
}  // namespace

const StreamLoops* streaming_loops() {
  return widest_isa() == Isa::avx512 ? &wide::loops : &narrow::loops;
}

}  // namespace steelyard::hpcc
