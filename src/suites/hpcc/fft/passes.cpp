// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/passes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fourier/transforms.hpp"
#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {

using fourier::Cells;
using fourier::Lengths;
using fourier::run_passes;

namespace {

const double* real(const Complex* values) {
  return reinterpret_cast<const double*>(values);
}
double* real(Complex* values) {
  return reinterpret_cast<double*>(values);
}

constexpr std::int64_t half = lanes / 2;  // complex elements of a line
constexpr std::int64_t rows_ahead =
    8;  // rows of a power of two apart share their sets: more would drive each other out

/// Eight elements that lie together.
__attribute__((always_inline)) inline LaneCell cell_of(const Complex* from) noexcept {
  Line low, high;
  load(low, real(from));
  load(high, real(from + half));
  return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14),
          __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)};
}

template <class CompiledFor>
__attribute__((always_inline)) inline void store_cell(CompiledFor isa, const LaneCell& cell,
                                                      Complex* to) noexcept {
  store_past_caches(isa, real(to), __builtin_shufflevector(cell.re, cell.im, 0, 8, 1, 9, 2, 10, 3, 11));
  store_past_caches(isa, real(to + half),
                    __builtin_shufflevector(cell.re, cell.im, 4, 12, 5, 13, 6, 14, 7, 15));
}

[[nodiscard]] inline Complex lane_of(const LaneCell& cell, std::int64_t lane) noexcept {
  return {cell.re[lane], cell.im[lane]};
}

__attribute__((always_inline)) inline LaneCell product(const LaneCell& a, const LaneCell& b) noexcept {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Elements that are written one after the other: shorter runs to one of eight columns and then the next cost
/// memory more than twice the time.
constexpr std::int64_t run_length = 32;

/// Some elements of eight columns on their way to memory, column by column.
struct WriteBuffer {
  Line lines[lanes][run_length / half];

  template <class CompiledFor>
  __attribute__((always_inline)) void store(CompiledFor isa, std::int64_t column, std::int64_t elements,
                                            Complex* out) const noexcept {
    const std::int64_t whole = elements / half;
    for (std::int64_t i = 0; i < whole; ++i) store_past_caches(isa, real(out + i * half), lines[column][i]);
    const auto* const left = reinterpret_cast<const Complex*>(&lines[column][0]);
    for (std::int64_t i = whole * half; i < elements; ++i) out[i] = left[i];
  }
};

/// Up to four elements of the eight columns become a line of each column. `next()`: one element of all
/// columns after the other.
template <class Next>
__attribute__((always_inline)) inline void fill_line(WriteBuffer& stage, std::int64_t line,
                                                     std::int64_t elements, const Next& next) noexcept {
  Line x[lanes];
  for (std::int64_t i = 0; i < half; ++i) {
    const LaneCell cell = i < elements ? next() : LaneCell{};
    x[2 * i] = cell.re;
    x[2 * i + 1] = cell.im;
  }
  transpose(x);
  for (int c = 0; c < lanes; ++c) stage.lines[c][line] = x[c];
}

template <class Next>
__attribute__((always_inline)) inline void fill(WriteBuffer& stage, std::int64_t elements,
                                                const Next& next) noexcept {
  const std::int64_t whole = elements / half;
  for (std::int64_t line = 0; line < whole; ++line) fill_line(stage, line, half, next);
  if (whole * half < elements) fill_line(stage, whole, elements - whole * half, next);
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

LaneTransforms::LaneTransforms(std::int64_t n)
    : a_(two_factors(n).n1),
      b_(n / a_),
      first_(fourier::radix_passes(a_, Lengths::smooth)),
      second_(fourier::radix_passes(b_, Lengths::smooth)),
      work_(2 * std::max(a_, b_)) {
  const fourier::Roots roots(n);
  for (std::int64_t q = 0; q < b_; ++q)
    for (std::int64_t k = 0; k < a_; ++k) twiddles_.push_back(roots.exact(q * k));
}

void LaneTransforms::run(LaneCell* cells) const noexcept {
  run_widest([ =, this ]() __attribute__((always_inline)) {
    const std::int64_t row = b_ + 1;
    for (std::int64_t q = 0; q < b_; ++q) {
      const Cells<Line> column{cells + q, row};
      run_passes<Lengths::smooth>(first_, column, column, work_.data(), twiddles_.data() + q * a_);
    }
    for (std::int64_t k = 0; k < a_; ++k) {
      const Cells<Line> line{cells + k * row};
      run_passes<Lengths::smooth>(second_, line, line, work_.data(), nullptr);
    }
  });
}

TransformedColumns::TransformedColumns(std::int64_t n, std::int64_t columns)
    : columns_(columns), transforms_(n), block_(groups() * transforms_.cells()) {}

void TransformedColumns::gather(const Complex* in, std::int64_t stride, std::int64_t at,
                                std::int64_t count) const noexcept {
  const std::int64_t whole = columns_ / lanes, rest = columns_ % lanes;
  run_widest([ =, this ]() __attribute__((always_inline)) {
    LaneTransforms::Entry entry(transforms_, at);
    for (std::int64_t r = 0; r < count; ++r, entry.next()) {
      const Complex* const row = in + r * stride;
      for (std::int64_t c = 0; c < columns_; c += half) __builtin_prefetch(row + rows_ahead * stride + c);
      for (std::int64_t g = 0; g < whole; ++g) group(g)[entry.cell()] = cell_of(row + g * lanes);
      for (std::int64_t lane = 0; lane < rest; ++lane) {
        auto& cell = group(whole)[entry.cell()];
        cell.re[lane] = row[whole * lanes + lane].real();
        cell.im[lane] = row[whole * lanes + lane].imag();
      }
    }
  });
}

void TransformedColumns::transform() const noexcept {
  for (std::int64_t g = 0; g < groups(); ++g) transforms_.run(group(g));
}

void TransformedColumns::scatter(std::int64_t at, std::int64_t count, Complex* out,
                                 std::int64_t stride) const noexcept {
  const std::int64_t whole = columns_ / lanes, rest = columns_ % lanes;
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    LaneTransforms::Exit exit(transforms_, at);
    for (std::int64_t k = 0; k < count; ++k, exit.next()) {
      Complex* const row = out + k * stride;
      for (std::int64_t g = 0; g < whole; ++g) store_cell(isa, group(g)[exit.cell()], row + g * lanes);
      for (std::int64_t lane = 0; lane < rest; ++lane)
        row[whole * lanes + lane] = lane_of(group(whole)[exit.cell()], lane);
    }
  });
}

ColumnPass::Turns::Turns(std::int64_t step_, std::int64_t n1)
    : step(step_), coarse((n1 + step - 1) / step), fine(step) {}

ColumnPass::ColumnPass(const Factors& factors, std::int64_t columns)
    : TransformedColumns(factors.n1, columns),
      n_(factors.n1 * factors.n2),
      roots_(n_),
      first_columns_(two_factors(factors.n1).n2, factors.n1) {
  const auto fill = [this](HugeArray<LaneCell>& turns, std::int64_t step) {
    for (std::size_t i = 0; i < turns.size(); ++i)
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const Complex root = roots_(lane * step * static_cast<std::int64_t>(i) % n_);
        turns[i].re[lane] = root.real();
        turns[i].im[lane] = root.imag();
      }
  };
  fill(first_columns_.coarse, first_columns_.step);
  fill(first_columns_.fine, 1);
  for (std::int64_t g = 0; g < groups(); ++g) by_group_.emplace_back(first_columns_.step, factors.n1);
}

void ColumnPass::turn(std::int64_t first) noexcept {
  run_widest([ =, this ]() __attribute__((always_inline)) {
    const auto turn_all = [this](const HugeArray<LaneCell>& from, std::int64_t power,
                                 const HugeArray<LaneCell>& to) __attribute__((always_inline)) {
      for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = times(from[i], roots_(power * static_cast<std::int64_t>(i)));
    };
    for (std::int64_t g = 0; g < groups(); ++g) {
      const auto& turns = by_group_[static_cast<std::size_t>(g)];
      turn_all(first_columns_.coarse, (first + g * lanes) * turns.step, turns.coarse);
      turn_all(first_columns_.fine, first + g * lanes, turns.fine);
    }
  });
}

void ColumnPass::store(std::int64_t at, std::int64_t count, Complex* out,
                       std::int64_t stride) const noexcept {
  for (std::int64_t g = 0; g < groups(); ++g) store_group(g, at, count, out + g * lanes * stride, stride);
}

void ColumnPass::store_group(std::int64_t g, std::int64_t at, std::int64_t count, Complex* out,
                             std::int64_t stride) const noexcept {
  const auto mine = std::min(lanes, columns() - g * lanes);
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    WriteBuffer stage;
    LaneTransforms::Exit exit(transforms(), at);
    Turns::FactorCursor cursor(by_group_[static_cast<std::size_t>(g)], at);
    for (std::int64_t k = 0; k < count; k += run_length) {
      const auto elements = std::min(run_length, count - k);
      fill(
          stage, elements, [&]() __attribute__((always_inline)) {
            const auto turned = product(group(g)[exit.cell()], product(cursor.coarse(), cursor.fine()));
            exit.next();
            cursor.next();
            return turned;
          });
      for (std::int64_t c = 0; c < mine; ++c) stage.store(isa, c, elements, out + c * stride + k);
    }
  });
}

}  // namespace steelyard::hpcc
