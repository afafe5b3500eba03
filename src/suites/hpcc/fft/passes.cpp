// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/passes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t line = 4;     // complex elements of 64 byte
constexpr std::int64_t padding = 8;  // columns of a power of two would share their cache sets

TransformShape in_place(std::int64_t n, std::int64_t columns, std::int64_t padded) {
  return {.n = n,
          .count = columns,
          .in_stride = 1,
          .in_distance = padded,
          .out_stride = 1,
          .out_distance = padded};
}

const double* real(const Complex* values) {
  return reinterpret_cast<const double*>(values);
}
double* real(Complex* values) {
  return reinterpret_cast<double*>(values);
}

}  // namespace

std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  for (auto d = std::min(n, most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

Factors two_factors(std::int64_t n, std::int64_t multiple) {
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  for (auto n1 = root / multiple * multiple; n1 >= multiple; n1 -= multiple)
    if (n % n1 == 0 && n / n1 % multiple == 0) return {n1, n / n1};
  throw std::invalid_argument("a length that the number of processes does not divide twice");
}

namespace {

/// Element c of line r becomes element r of line c.
__attribute__((always_inline)) inline void transpose(Line (&x)[line]) noexcept {
  const Line even0 = __builtin_shufflevector(x[0], x[1], 0, 1, 8, 9, 4, 5, 12, 13);
  const Line odd0 = __builtin_shufflevector(x[0], x[1], 2, 3, 10, 11, 6, 7, 14, 15);
  const Line even1 = __builtin_shufflevector(x[2], x[3], 0, 1, 8, 9, 4, 5, 12, 13);
  const Line odd1 = __builtin_shufflevector(x[2], x[3], 2, 3, 10, 11, 6, 7, 14, 15);
  x[0] = __builtin_shufflevector(even0, even1, 0, 1, 2, 3, 8, 9, 10, 11);
  x[1] = __builtin_shufflevector(odd0, odd1, 0, 1, 2, 3, 8, 9, 10, 11);
  x[2] = __builtin_shufflevector(even0, even1, 4, 5, 6, 7, 12, 13, 14, 15);
  x[3] = __builtin_shufflevector(odd0, odd1, 4, 5, 6, 7, 12, 13, 14, 15);
}

/// A matrix of `rows` rows to one of as many columns.
struct Transposition {
  const Complex* from;
  std::int64_t from_stride;
  Complex* to;
  std::int64_t to_stride;
  std::int64_t rows, columns;  // of `from`
};

enum class Stores { ordinary, past_caches };

template <Stores stores>
__attribute__((always_inline)) inline void move_square(const Transposition& m, std::int64_t row,
                                                       std::int64_t column) noexcept {
  Line x[line];
  for (int i = 0; i < line; ++i) load(x[i], real(m.from + (row + i) * m.from_stride + column));
  transpose(x);
  for (int i = 0; i < line; ++i) {
    double* const to = real(m.to + (column + i) * m.to_stride + row);
    if constexpr (stores == Stores::past_caches)
      store_past_caches(to, x[i]);
    else
      store(to, x[i]);
  }
}

void move_elements(const Transposition& m, std::int64_t first_row, std::int64_t first_column) noexcept {
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t c = r < first_row ? first_column : 0; c < m.columns; ++c)
      m.to[c * m.to_stride + r] = m.from[r * m.from_stride + c];
}

constexpr std::int64_t rows_ahead = 8;  // rows of a power of two apart share their sets: more would drive each other out

}  // namespace

TransformedColumns::TransformedColumns(std::int64_t n, std::int64_t columns)
    : n_(n),
      columns_(columns),
      padded_(n + padding),
      block_(columns * padded_),
      transforms_(in_place(n, columns, padded_), block_.data(), block_.data()) {}

void TransformedColumns::gather(const Complex* in, std::int64_t stride, std::int64_t at,
                                std::int64_t count) const noexcept {
  const Transposition m{in, stride, column(0) + at, padded_, count, columns_};
  const auto rows = count / line * line, whole = columns_ / line * line;
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t r = 0; r < rows; r += line) {
      for (std::int64_t i = 0; i < line; ++i)
        for (std::int64_t c = 0; c < whole; c += line)
          __builtin_prefetch(m.from + (r + i + rows_ahead) * m.from_stride + c);
      for (std::int64_t c = 0; c < whole; c += line) move_square<Stores::ordinary>(m, r, c);
    }
  });
  move_elements(m, rows, whole);
}

void TransformedColumns::transform() const noexcept {
  transforms_.run(block_.data(), block_.data());
}

void TransformedColumns::scatter(std::int64_t at, std::int64_t count, Complex* out,
                                 std::int64_t stride) const noexcept {
  const Transposition m{column(0) + at, padded_, out, stride, columns_, count};
  const auto rows = columns_ / line * line, whole = count / line * line;
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t k = 0; k < whole; k += line)
      for (std::int64_t c = 0; c < rows; c += line) move_square<Stores::past_caches>(m, c, k);
  });
  move_elements(m, rows, whole);
}

ColumnPass::ColumnPass(const Factors& factors, std::int64_t columns)
    : TransformedColumns(factors.n1, columns),
      roots_(factors.n1 * factors.n2),
      twiddles_(factors.n1 * columns),
      base_(factors.n1) {
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t k1 = 0; k1 < factors.n1; ++k1)
      twiddles_[static_cast<std::size_t>(c * factors.n1 + k1)] = roots_(c * k1);
}

void ColumnPass::turn(std::int64_t first) noexcept {
  for (std::int64_t k1 = 0; k1 < length(); ++k1) base_[static_cast<std::size_t>(k1)] = roots_(first * k1);
}

void ColumnPass::store(std::int64_t c, std::int64_t at, std::int64_t count, Complex* to) const noexcept {
  const Complex* const values = column(c) + at;
  const Complex* const twiddle = twiddles_.data() + c * length() + at;
  const Complex* const base = base_.data() + at;
  const std::int64_t whole = count / line * line;
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t k = 0; k < whole; k += line) {
      Line value, factor, turned;
      load(value, real(values + k));
      load(factor, real(twiddle + k));
      load(turned, real(base + k));
      multiply(factor, turned);
      multiply(value, factor);
      store_past_caches(real(to + k), value);
    }
  });
  for (std::int64_t k = whole; k < count; ++k) to[k] = product(values[k], product(base[k], twiddle[k]));
}

}  // namespace steelyard::hpcc
