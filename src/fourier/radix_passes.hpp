// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <numbers>
#include <vector>

#include "fourier/transforms.hpp"

/// The program's own Fourier transforms: self-sorting passes of butterflies. Included by kernels that are
/// compiled for several instruction sets: all templates here are inlined into their callers.
namespace steelyard::fourier {

/// One pass over a transform of length n: n / radix butterflies.
struct RadixPass {
  int radix;
  std::int64_t done;              // product of the earlier passes' radices
  std::int64_t rest;              // n / done / radix
  std::vector<Complex> twiddles;  // [rest][radix - 1]: exp(-2 pi i p k done / n), k from 1
  std::vector<Complex> wheel;     // exp(-2 pi i k / radix) of a radix whose butterfly is not written out
};

/// Lengths that passes are for: products of 2, 3 and 5, or all, where a prime factor r above 5
/// costs r operations an element.
enum class Lengths { smooth, all };

/// Radices 8, 4, 2, 3 and 5 for a length, and other prime factors before them; their product is n, none for n
/// = 1. Throws std::invalid_argument for a length below 1 or with a factor that `lengths` leaves out.
[[nodiscard]] std::vector<int> radices(std::int64_t n, Lengths lengths);
/// A pass for each radix of a length.
[[nodiscard]] std::vector<RadixPass> radix_passes(std::int64_t n, Lengths lengths);
/// Complex numbers that the passes of a length hold.
[[nodiscard]] std::int64_t table_elements(std::int64_t n);

/// Complex numbers of one or of several transforms.
template <class Value>
struct Cell {
  Value re, im;
};

template <class V>
__attribute__((always_inline)) inline Cell<V> operator+(const Cell<V>& a, const Cell<V>& b) noexcept {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
__attribute__((always_inline)) inline Cell<V> operator-(const Cell<V>& a, const Cell<V>& b) noexcept {
  return {a.re - b.re, a.im - b.im};
}
template <class V>
__attribute__((always_inline)) inline Cell<V> operator*(double s, const Cell<V>& a) noexcept {
  return {s * a.re, s * a.im};
}
template <class V>
__attribute__((always_inline)) inline Cell<V> times(const Cell<V>& a, const Complex& w) noexcept {
  return {a.re * w.real() - a.im * w.imag(), a.re * w.imag() + a.im * w.real()};
}
/// The product with -i.
template <class V>
__attribute__((always_inline)) inline Cell<V> turned(const Cell<V>& a) noexcept {
  return {a.im, -a.re};
}

template <std::size_t radix, class V>
using Wing = std::array<Cell<V>, radix>;

template <class V>
__attribute__((always_inline)) inline void butterfly(Wing<2, V>& x) noexcept {
  x = {x[0] + x[1], x[0] - x[1]};
}

template <class V>
__attribute__((always_inline)) inline void butterfly(Wing<3, V>& x) noexcept {
  const auto sum = x[1] + x[2];
  const auto side = turned((std::numbers::sqrt3 / 2) * (x[1] - x[2]));
  const auto middle = x[0] - 0.5 * sum;
  x = {x[0] + sum, middle + side, middle - side};
}

template <class V>
__attribute__((always_inline)) inline void butterfly(Wing<4, V>& x) noexcept {
  const auto even = x[0] + x[2], odd = x[1] + x[3];
  const auto even_off = x[0] - x[2], odd_off = turned(x[1] - x[3]);
  x = {even + odd, even_off + odd_off, even - odd, even_off - odd_off};
}

template <class V>
__attribute__((always_inline)) inline void butterfly(Wing<5, V>& x) noexcept {
  constexpr double c1 = 0.309016994374947424, c2 = -0.809016994374947424;  // cos(2 pi / 5), cos(4 pi / 5)
  constexpr double s1 = 0.951056516295153572, s2 = 0.587785252292473129;   // sin(2 pi / 5), sin(4 pi / 5)
  const auto near = x[1] + x[4], far = x[2] + x[3];
  const auto near_off = x[1] - x[4], far_off = x[2] - x[3];
  const auto a = x[0] + c1 * near + c2 * far, b = x[0] + c2 * near + c1 * far;
  const auto p = turned(s1 * near_off + s2 * far_off), q = turned(s2 * near_off - s1 * far_off);
  x = {x[0] + near + far, a + p, b + q, b - q, a - p};
}

template <class V>
__attribute__((always_inline)) inline void butterfly(Wing<8, V>& x) noexcept {
  constexpr double half = std::numbers::sqrt2 / 2;
  Wing<4, V> even{x[0], x[2], x[4], x[6]}, odd{x[1], x[3], x[5], x[7]};
  butterfly(even);
  butterfly(odd);
  odd[1] = half * (odd[1] + turned(odd[1]));
  odd[2] = turned(odd[2]);
  odd[3] = half * (turned(odd[3]) - odd[3]);
  x = {even[0] + odd[0], even[1] + odd[1], even[2] + odd[2], even[3] + odd[3],
       even[0] - odd[0], even[1] - odd[1], even[2] - odd[2], even[3] - odd[3]};
}

/// Elements of one transform in memory: first[0], first[apart], ... Passes take any View like it,
/// also of several transforms.
struct Cells {
  using Value = double;
  Cell<double>* first;
  std::int64_t apart = 1;
  [[nodiscard]] Cell<double> load(std::int64_t i) const noexcept { return first[i * apart]; }
  void store(std::int64_t i, const Cell<double>& value) const noexcept { first[i * apart] = value; }
  /// The elements from i on.
  [[nodiscard]] Cells from(std::int64_t i) const noexcept { return {first + i * apart, apart}; }
};

template <int radix, class View>
__attribute__((always_inline)) inline Wing<static_cast<std::size_t>(radix), typename View::Value> turned_wing(
    const View& from, std::int64_t at, std::int64_t apart) noexcept {
  Wing<static_cast<std::size_t>(radix), typename View::Value> x;
  for (int j = 0; j < radix; ++j) x[static_cast<std::size_t>(j)] = from.load(at + j * apart);
  butterfly(x);
  return x;
}

/// Runs a pass that others follow.
template <int radix, class From, class To>
__attribute__((always_inline)) inline void pass_on(const RadixPass& pass, const From& from,
                                                   const To& to) noexcept {
  const std::int64_t done = pass.done, apart = pass.rest * done;
  const Complex* twiddle = pass.twiddles.data();
  for (std::int64_t p = 0; p < pass.rest; ++p, twiddle += radix - 1)
    for (std::int64_t q = 0; q < done; ++q) {
      const auto x = turned_wing<radix>(from, p * done + q, apart);
      const std::int64_t at = p * radix * done + q;
      to.store(at, x[0]);
      for (int k = 1; k < radix; ++k)
        to.store(at + k * done, times(x[static_cast<std::size_t>(k)], twiddle[k - 1]));
    }
}

/// Runs the last pass, which has no factors of its own; element k of the result is multiplied by
/// outer[k] if there are any.
template <int radix, class From, class To>
__attribute__((always_inline)) inline void pass_last(const RadixPass& pass, const From& from, const To& to,
                                                     const Complex* outer) noexcept {
  for (std::int64_t q = 0; q < pass.done; ++q) {
    const auto x = turned_wing<radix>(from, q, pass.done);
    for (int k = 0; k < radix; ++k) {
      const auto at = q + k * pass.done;
      const auto& value = x[static_cast<std::size_t>(k)];
      to.store(at, outer == nullptr ? value : times(value, outer[at]));
    }
  }
}

/// Runs a pass by the sum that defines the transform, also as the last one. Not in place.
void pass_of_any_radix(const RadixPass& pass, const Cells& from, const Cells& to) noexcept;

/// Runs a pass whose radix is a constant, 0 for one whose butterfly is not written out.
template <int radix, class From, class To>
__attribute__((always_inline)) inline void pass_by(const RadixPass& pass, const From& from,
                                                   const To& to) noexcept {
  if constexpr (radix == 0)
    pass_of_any_radix(pass, from, to);
  else
    pass_on<radix>(pass, from, to);
}

template <int radix, class From, class To>
__attribute__((always_inline)) inline void pass_last_by(const RadixPass& pass, const From& from, const To& to,
                                                        const Complex* outer) noexcept {
  if constexpr (radix == 0)
    pass_of_any_radix(pass, from, to);
  else
    pass_last<radix>(pass, from, to, outer);
}

/// Calls `with` with the radix as a constant, 0 for one whose butterfly is not written out.
template <Lengths lengths, class With>
__attribute__((always_inline)) inline void with_radix(int radix, const With& with) noexcept {
  switch (radix) {
    case 2: return with(std::integral_constant<int, 2>());
    case 3: return with(std::integral_constant<int, 3>());
    case 4: return with(std::integral_constant<int, 4>());
    case 5: return with(std::integral_constant<int, 5>());
    default:
      if constexpr (lengths == Lengths::all)
        if (radix != 8) return with(std::integral_constant<int, 0>());
      return with(std::integral_constant<int, 8>());
  }
}

/// Runs all passes of one transform, in place if the length is smooth; `work`: two arrays of as many cells as
/// elements. outer: as in pass_last(), for smooth lengths.
template <Lengths lengths, class From, class View>
__attribute__((always_inline)) inline void run_passes(const std::vector<RadixPass>& passes, const From& from,
                                                      const View& to, const View& work,
                                                      const Complex* outer) noexcept {
  if (passes.empty()) return to.store(0, from.load(0));
  const auto last = [&](const auto& source) __attribute__((always_inline)) {
    with_radix<lengths>(
        passes.back().radix, [&](auto radix) __attribute__((always_inline)) {
          pass_last_by<decltype(radix)::value>(passes.back(), source, to, outer);
        });
  };
  const auto go_on = [&](std::size_t i, const auto& source, const View& next) __attribute__((always_inline)) {
    with_radix<lengths>(
        passes[i].radix, [&](auto radix) __attribute__((always_inline)) {
          pass_by<decltype(radix)::value>(passes[i], source, next);
        });
  };
  if (passes.size() == 1) return last(from);
  const std::int64_t n = passes.back().done * passes.back().radix;
  go_on(0, from, work);
  View now = work;
  for (std::size_t i = 1; i + 1 < passes.size(); ++i) {
    const View next = work.from(static_cast<std::int64_t>(i % 2) * n);
    go_on(i, now, next);
    now = next;
  }
  last(now);
}

}  // namespace steelyard::fourier
