// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "suites/hpcc/foundation/isa.hpp"

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

/// Past the caches, in stores as wide as the instruction set has them and the address allows: a line in one
/// piece costs half of one in four. `to` on a boundary of 16 byte.
template <Isa isa>
__attribute__((always_inline)) inline void store_past_caches(CompiledFor<isa>, double* to,
                                                             const Line& line) noexcept {
  // Assembly, because the functions of the compiler's header cannot be inlined into a loop for several sets.
  if constexpr (isa == Isa::avx512)
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Line) == 0) {
      asm("vmovntpd %1, %0" : "=m"(*reinterpret_cast<Line*>(to)) : "v"(line));
      return;
    }
  for (int i = 0; i < 8; i += 2) _mm_stream_pd(to + i, _mm_set_pd(line[i + 1], line[i]));
}
/// After the last of such stores.
inline void finish_stores() noexcept {
  _mm_sfence();
}

#else

template <Isa isa>
inline void store_past_caches(CompiledFor<isa>, double* to, const Line& line) noexcept {
  store(to, line);
}
inline void finish_stores() noexcept {}

#endif

/// Rows become columns: pairs, then pairs of pairs, then halves.
__attribute__((always_inline)) inline void transpose(Line (&x)[8]) noexcept {
  Line y[8];
  for (int i = 0; i < 8; i += 2) {
    y[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    y[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = i; j < i + 2; ++j) {
      x[j] = __builtin_shufflevector(y[j], y[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      x[j + 2] = __builtin_shufflevector(y[j], y[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int j = 0; j < 4; ++j) {
    y[j] = __builtin_shufflevector(x[j], x[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    y[j + 4] = __builtin_shufflevector(x[j], x[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int j = 0; j < 8; ++j) x[j] = y[j];
}

}  // namespace steelyard::hpcc
