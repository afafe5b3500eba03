// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "suites/hpcc/foundation/isa.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// Lines of eight doubles for kernels that are compiled for several instruction sets (isa.hpp), in parts as
/// wide as the registers of each. The compiler keeps wider vectors in memory and moves them piece by piece,
/// which made transforms three to six times as slow. Everything here is inlined into its caller.
namespace steelyard::hpcc {

inline constexpr int line_width = 8;  // doubles

template <int width>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Type = double __attribute__((vector_size(16)));
};
template <>
struct VectorOf<4> {
  using Type = double __attribute__((vector_size(32)));
};
template <>
struct VectorOf<8> {
  using Type = double __attribute__((vector_size(64)));
};

template <Isa isa>
inline constexpr int part_width = isa == Isa::avx512 ? 8
                                  : isa == Isa::avx2 ? 4
                                                     : 2;
/// Part of a line that fills a register.
template <Isa isa>
using Part = typename VectorOf<part_width<isa>>::Type;

template <class V>
inline constexpr int width_of = static_cast<int>(sizeof(V) / sizeof(double));

/// Square of numbers: as many vectors as each has elements.
template <class V>
using Square = V[sizeof(V) / sizeof(double)];

/// Loads a vector from any address.
template <class V>
__attribute__((always_inline)) inline V load(const double* from) noexcept {
  V part;
  __builtin_memcpy(&part, from, sizeof part);
  return part;
}
template <class V>
__attribute__((always_inline)) inline void store(double* to, const V& part) noexcept {
  __builtin_memcpy(to, &part, sizeof part);
}

/// Picks elements of two vectors by their places, those of b counted behind those of a. The result is a
/// reference because compilers warn of a returned vector wider than those that the caller is compiled for.
template <int... places, class V>
__attribute__((always_inline)) inline void shuffle(V& to, const V& a, const V& b) noexcept {
#if __has_builtin(__builtin_shufflevector)
  to = __builtin_shufflevector(a, b, places...);
#else  // GCC 11
  to = __builtin_shuffle(a, b, decltype(a < b){places...});
#endif
}

#if defined(__x86_64__)

/// Stores a vector past the caches; `to` is a multiple of the vector's size.
template <class V>
__attribute__((always_inline)) inline void store_whole_past_caches(double* to, const V& part) noexcept {
#if defined(__clang__)
  __builtin_nontemporal_store(part, reinterpret_cast<V*>(to));
#else  // assembly, because the header's functions cannot be inlined into a loop for several sets
  asm("vmovntpd %1, %0" : "=m"(*reinterpret_cast<V*>(to)) : "v"(part));
#endif
}

/// Stores past the caches, in pieces as wide as the instruction set has them and the address allows: a line
/// in one piece costs half of one in four. `to` is a multiple of 16 byte.
template <Isa isa, class V>
__attribute__((always_inline)) inline void store_past_caches(CompiledFor<isa>, double* to,
                                                             const V& part) noexcept {
  if constexpr (sizeof(V) > sizeof(__m128d))
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(V) == 0) return store_whole_past_caches(to, part);
  for (int i = 0; i < width_of<V>; i += 2) _mm_stream_pd(to + i, _mm_set_pd(part[i + 1], part[i]));
}
/// Completes such stores; called after the last of them.
inline void finish_stores() noexcept {
  _mm_sfence();
}

#else

template <Isa isa, class V>
__attribute__((always_inline)) inline void store_past_caches(CompiledFor<isa>, double* to,
                                                             const V& part) noexcept {
  store(to, part);
}
inline void finish_stores() noexcept {}

#endif

// Transposition in registers: first pairs change places, then pairs of pairs, then halves.

__attribute__((always_inline)) inline void transpose(Square<VectorOf<2>::Type>& x) noexcept {
  auto first = x[0];
  shuffle<0, 2>(first, x[0], x[1]);
  shuffle<1, 3>(x[1], x[0], x[1]);
  x[0] = first;
}

__attribute__((always_inline)) inline void transpose(Square<VectorOf<4>::Type>& x) noexcept {
  Square<VectorOf<4>::Type> y;
  for (int i = 0; i < 4; i += 2) {
    shuffle<0, 4, 2, 6>(y[i], x[i], x[i + 1]);
    shuffle<1, 5, 3, 7>(y[i + 1], x[i], x[i + 1]);
  }
  for (int j = 0; j < 2; ++j) {
    shuffle<0, 1, 4, 5>(x[j], y[j], y[j + 2]);
    shuffle<2, 3, 6, 7>(x[j + 2], y[j], y[j + 2]);
  }
}

__attribute__((always_inline)) inline void transpose(Square<VectorOf<8>::Type>& x) noexcept {
  Square<VectorOf<8>::Type> y;
  for (int i = 0; i < 8; i += 2) {
    shuffle<0, 8, 2, 10, 4, 12, 6, 14>(y[i], x[i], x[i + 1]);
    shuffle<1, 9, 3, 11, 5, 13, 7, 15>(y[i + 1], x[i], x[i + 1]);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = i; j < i + 2; ++j) {
      shuffle<0, 1, 8, 9, 4, 5, 12, 13>(x[j], y[j], y[j + 2]);
      shuffle<2, 3, 10, 11, 6, 7, 14, 15>(x[j + 2], y[j], y[j + 2]);
    }
  for (int j = 0; j < 4; ++j) {
    shuffle<0, 1, 2, 3, 8, 9, 10, 11>(y[j], x[j], x[j + 4]);
    shuffle<4, 5, 6, 7, 12, 13, 14, 15>(y[j + 4], x[j], x[j + 4]);
  }
  for (int j = 0; j < 8; ++j) x[j] = y[j];
}

// unzip: two vectors of pairs that follow one another, x0 y0 x1 y1 ..., become one of all x and one
// of all y. zip: the inverse.

__attribute__((always_inline)) inline void unzip(VectorOf<2>::Type& a, VectorOf<2>::Type& b) noexcept {
  Square<VectorOf<2>::Type> x{a, b};
  transpose(x);
  a = x[0];
  b = x[1];
}
__attribute__((always_inline)) inline void zip(VectorOf<2>::Type& a, VectorOf<2>::Type& b) noexcept {
  unzip(a, b);
}

__attribute__((always_inline)) inline void unzip(VectorOf<4>::Type& a, VectorOf<4>::Type& b) noexcept {
  auto first = a;
  shuffle<0, 2, 4, 6>(first, a, b);
  shuffle<1, 3, 5, 7>(b, a, b);
  a = first;
}
__attribute__((always_inline)) inline void zip(VectorOf<4>::Type& a, VectorOf<4>::Type& b) noexcept {
  auto low = a;
  shuffle<0, 4, 1, 5>(low, a, b);
  shuffle<2, 6, 3, 7>(b, a, b);
  a = low;
}

__attribute__((always_inline)) inline void unzip(VectorOf<8>::Type& a, VectorOf<8>::Type& b) noexcept {
  auto first = a;
  shuffle<0, 2, 4, 6, 8, 10, 12, 14>(first, a, b);
  shuffle<1, 3, 5, 7, 9, 11, 13, 15>(b, a, b);
  a = first;
}
__attribute__((always_inline)) inline void zip(VectorOf<8>::Type& a, VectorOf<8>::Type& b) noexcept {
  auto low = a;
  shuffle<0, 8, 1, 9, 2, 10, 3, 11>(low, a, b);
  shuffle<4, 12, 5, 13, 6, 14, 7, 15>(b, a, b);
  a = low;
}

}  // namespace steelyard::hpcc
