// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/short_transforms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "suites/hpcc/fft/roots.hpp"
#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t line_lanes = sizeof(Line) / sizeof(double);

/// Complex numbers of one or of eight transforms.
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
/// Times -i.
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

template <int radix, class V>
__attribute__((always_inline)) inline void turn(const RadixPass& pass, const Cell<V>* from,
                                                Cell<V>* to) noexcept {
  const std::int64_t done = pass.done, apart = pass.rest * done;
  const Complex* twiddle = pass.twiddles.data();
  for (std::int64_t p = 0; p < pass.rest; ++p, twiddle += radix - 1, from += done, to += radix * done)
    for (std::int64_t q = 0; q < done; ++q) {
      Wing<static_cast<std::size_t>(radix), V> x;
      for (int j = 0; j < radix; ++j) x[static_cast<std::size_t>(j)] = from[q + j * apart];
      butterfly(x);
      to[q] = x[0];
      for (int k = 1; k < radix; ++k)
        to[q + k * done] = times(x[static_cast<std::size_t>(k)], twiddle[k - 1]);
    }
}

template <class V>
__attribute__((always_inline)) inline void turn(const RadixPass& pass, const Cell<V>* from,
                                                Cell<V>* to) noexcept {
  switch (pass.radix) {
    case 2:
      return turn<2>(pass, from, to);
    case 3:
      return turn<3>(pass, from, to);
    case 4:
      return turn<4>(pass, from, to);
    case 5:
      return turn<5>(pass, from, to);
    default:
      return turn<8>(pass, from, to);
  }
}

std::vector<RadixPass> passes_of(std::int64_t n) {
  const Roots roots(n);
  std::vector<RadixPass> passes;
  std::int64_t done = 1;
  for (const int radix : radices(n)) {
    RadixPass pass{radix, done, n / done / radix, {}};
    for (std::int64_t p = 0; p < pass.rest; ++p)
      for (int k = 1; k < radix; ++k) pass.twiddles.push_back(roots.exact(p * k * done));
    passes.push_back(std::move(pass));
    done *= radix;
  }
  return passes;
}

std::int64_t lanes_of(const TransformShape& shape) {
  return shape.count == 1 ? 1 : line_lanes;
}

/// Two arrays of cells of two values each.
std::int64_t work_doubles(const TransformShape& shape) {
  return 2 * 2 * shape.n * lanes_of(shape);
}

}  // namespace

std::vector<int> radices(std::int64_t n) {
  if (n < 1) throw std::invalid_argument("a transform of no elements");
  std::vector<int> all;
  for (const int radix : {5, 3})
    for (; n > 1 && n % radix == 0; n /= radix) all.push_back(radix);
  // 16 = 4 4 rather than 8 2.
  for (; n % 8 == 0 && n != 16; n /= 8) all.push_back(8);
  for (; n % 4 == 0; n /= 4) all.push_back(4);
  if (n % 2 == 0) all.push_back(2);
  n = n % 2 == 0 ? n / 2 : n;
  if (n != 1) throw std::invalid_argument("a length with other prime factors than 2, 3 and 5");
  return all;
}

ShortTransforms::ShortTransforms(const TransformShape& shape)
    : shape_(shape), passes_(passes_of(shape.n)), work_(work_doubles(shape)) {}

template <class Value>
void ShortTransforms::run_group(const Complex* in, Complex* out, std::int64_t lanes) const noexcept {
  run_widest([ =, this ]() __attribute__((always_inline)) {
    constexpr auto most = static_cast<std::int64_t>(sizeof(Value) / sizeof(double));
    auto* from = reinterpret_cast<Cell<Value>*>(work_.data());
    auto* to = from + shape_.n;
    auto* cells = work_.data();
    for (std::int64_t j = 0; j < shape_.n; ++j, cells += 2 * most)
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const Complex z = in[lane * shape_.in_distance + j * shape_.in_stride];
        cells[lane] = z.real();
        cells[most + lane] = z.imag();
      }
    for (const auto& pass : passes_) {
      turn(pass, from, to);
      std::swap(from, to);
    }
    const auto* result = reinterpret_cast<const double*>(from);
    for (std::int64_t j = 0; j < shape_.n; ++j, result += 2 * most)
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        out[lane * shape_.out_distance + j * shape_.out_stride] = {result[lane], result[most + lane]};
  });
}

void ShortTransforms::run(const Complex* in, Complex* out) const noexcept {
  if (shape_.count == 1) return run_group<double>(in, out, 1);
  for (std::int64_t i = 0; i < shape_.count; i += line_lanes)
    run_group<Line>(in + i * shape_.in_distance, out + i * shape_.out_distance,
                    std::min(line_lanes, shape_.count - i));
}

}  // namespace steelyard::hpcc
