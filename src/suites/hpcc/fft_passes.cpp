// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft_passes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "suites/hpcc/isa.hpp"
#include "suites/hpcc/lines.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t line = 4;     // complex elements of 64 byte
constexpr std::int64_t padding = 8;  // rows of a power of two would share their cache sets

TransformShape down(const Factors& factors, std::int64_t columns) {
  return {.n = factors.n1,
          .count = columns,
          .in_stride = columns,
          .in_distance = 1,
          .out_stride = columns,
          .out_distance = 1};
}

TransformShape across(std::int64_t n2, std::int64_t rows, std::int64_t padded) {
  return {
      .n = n2, .count = rows, .in_stride = 1, .in_distance = padded, .out_stride = rows, .out_distance = 1};
}

const double* real(const Complex* values) {
  return reinterpret_cast<const double*>(values);
}
double* real(Complex* values) {
  return reinterpret_cast<double*>(values);
}

Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
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

void move_past_caches(Complex* to, const Complex* from, std::int64_t count) noexcept {
  if (count % line != 0) {
    std::copy_n(from, count, to);
    return;
  }
  Line values;
  for (std::int64_t i = 0; i < count; i += line) {
    load(values, real(from + i));
    store_past_caches(real(to + i), values);
  }
}

ColumnPass::ColumnPass(const Factors& factors, std::int64_t columns)
    : factors_(factors),
      columns_(columns),
      roots_(factors.n1 * factors.n2),
      block_(factors.n1 * columns),
      twiddles_(factors.n1 * columns),
      transforms_(down(factors, columns), block_.data(), block_.data()) {
  for (std::int64_t k1 = 0; k1 < factors.n1; ++k1)
    for (std::int64_t c = 0; c < columns; ++c)
      twiddles_[static_cast<std::size_t>(k1 * columns + c)] = roots_(c * k1);
}

void ColumnPass::run(const Complex* in, std::int64_t in_stride, Complex* out, std::int64_t out_stride,
                     std::int64_t first) const noexcept {
  gather(in, in_stride);
  transforms_.run(block_.data(), block_.data());
  scatter(out, out_stride, first);
}

void ColumnPass::gather(const Complex* in, std::int64_t stride) const noexcept {
  constexpr std::int64_t ahead = 16;  // rows; every row is in another page of the processor's prefetcher
  Complex* to = block_.data();
  for (std::int64_t j1 = 0; j1 < factors_.n1; ++j1, to += columns_, in += stride) {
    for (std::int64_t c = 0; c < columns_; c += line) __builtin_prefetch(in + ahead * stride + c);
    std::copy_n(in, columns_, to);
  }
}

void ColumnPass::scatter(Complex* out, std::int64_t stride, std::int64_t first) const noexcept {
  const bool whole_lines = columns_ % line == 0 && stride % line == 0;
  run_widest([ =, this ]() __attribute__((always_inline)) {
    const Complex* from = block_.data();
    const Complex* twiddle = twiddles_.data();
    Complex* to = out;
    for (std::int64_t k1 = 0; k1 < factors_.n1; ++k1, to += stride) {
      const Complex base = roots_(first * k1);
      if (!whole_lines) {
        for (std::int64_t c = 0; c < columns_; ++c) to[c] = times(*from++, times(base, *twiddle++));
        continue;
      }
      const Line turn = {base.real(), base.imag(), base.real(), base.imag(),
                         base.real(), base.imag(), base.real(), base.imag()};
      for (std::int64_t c = 0; c < columns_; c += line, from += line, twiddle += line) {
        Line values, factor;
        load(values, real(from));
        load(factor, real(twiddle));
        multiply(factor, turn);
        multiply(values, factor);
        store_past_caches(real(to + c), values);
      }
    }
  });
}

RowPass::RowPass(std::int64_t n2, std::int64_t rows)
    : n2_(n2),
      rows_(rows),
      padded_(n2 + padding),
      block_(rows * padded_),
      transposed_(n2 * rows),
      transforms_(across(n2, rows, padded_), block_.data(), transposed_.data()) {}

void RowPass::run(const Pieces& in, Complex* out, std::int64_t out_stride) const noexcept {
  gather(in);
  transforms_.run(block_.data(), transposed_.data());
  scatter(out, out_stride);
}

void RowPass::gather(const Pieces& in) const noexcept {
  for (std::int64_t row = 0; row < rows_; ++row) {
    Complex* to = block_.data() + row * padded_;
    const Complex* from = in.first + row * in.row_stride;
    for (std::int64_t at = 0; at < n2_; at += in.length, from += in.distance)
      std::copy_n(from, in.length, to + at);
  }
}

void RowPass::scatter(Complex* out, std::int64_t stride) const noexcept {
  const Complex* from = transposed_.data();
  const bool whole_lines = stride % line == 0 && rows_ % line == 0;
  for (std::int64_t k2 = 0; k2 < n2_; ++k2, from += rows_, out += stride) {
    if (whole_lines)
      move_past_caches(out, from, rows_);
    else
      std::copy_n(from, rows_, out);
  }
}

}  // namespace steelyard::hpcc
