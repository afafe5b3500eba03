// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// Lines of eight doubles for kernels that are compiled for several instruction sets (isa.hpp): everything
/// here is inlined into its caller.
namespace steelyard::hpcc {

using Line = double __attribute__((vector_size(64)));
/// The same at any address.
using LooseLine = double __attribute__((vector_size(64), aligned(8), may_alias));

__attribute__((always_inline)) inline void load(Line& line, const double* from) noexcept {
  line = *reinterpret_cast<const LooseLine*>(from);
}

__attribute__((always_inline)) inline void store(double* to, const Line& line) noexcept {
  *reinterpret_cast<LooseLine*>(to) = line;
}

#if defined(__x86_64__)

/// Past the caches; `to` on a boundary of 16 byte, best of 64.
__attribute__((always_inline)) inline void store_past_caches(double* to, const Line& line) noexcept {
  for (int i = 0; i < 8; i += 2) _mm_stream_pd(to + i, _mm_set_pd(line[i + 1], line[i]));
}
/// After the last of such stores.
inline void finish_stores() noexcept {
  _mm_sfence();
}

#else

__attribute__((always_inline)) inline void store_past_caches(double* to, const Line& line) noexcept {
  store(to, line);
}
inline void finish_stores() noexcept {}

#endif

/// Eight complex products of lines (re, im, re, im, ...): x times w.
__attribute__((always_inline)) inline void multiply(Line& x, const Line& w) noexcept {
  const Line real = __builtin_shufflevector(w, w, 0, 0, 2, 2, 4, 4, 6, 6);
  const Line imaginary = __builtin_shufflevector(w, w, 1, 1, 3, 3, 5, 5, 7, 7);
  const Line crossed = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
  const Line sign = {-1, 1, -1, 1, -1, 1, -1, 1};
  x = x * real + crossed * (imaginary * sign);
}

}  // namespace steelyard::hpcc
