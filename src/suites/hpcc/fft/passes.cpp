// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/passes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc {

using fourier::Cell;
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
// Rows that are prefetched. Rows of a power of two apart share their sets: more would drive each other out.
constexpr std::int64_t rows_ahead = 8;

// Lanes of cells in registers; a register holds the lanes from `first` on.

template <class V>
__attribute__((always_inline)) inline Cell<V> load_lanes(const LaneCell& cell, std::int64_t first) noexcept {
  return {load<V>(cell.re + first), load<V>(cell.im + first)};
}

template <class V>
__attribute__((always_inline)) inline void store_lanes(LaneCell& cell, std::int64_t first,
                                                       const Cell<V>& value) noexcept {
  store(cell.re + first, value.re);
  store(cell.im + first, value.im);
}

/// View like fourier::Cells of the lanes that a register holds.
template <class V>
struct LaneView {
  using Value = V;
  LaneCell* cells;
  std::int64_t lane;
  std::int64_t apart = 1;
  __attribute__((always_inline)) Cell<V> load(std::int64_t i) const noexcept {
    return load_lanes<V>(cells[i * apart], lane);
  }
  __attribute__((always_inline)) void store(std::int64_t i, const Cell<V>& value) const noexcept {
    store_lanes(cells[i * apart], lane, value);
  }
  [[nodiscard]] __attribute__((always_inline)) LaneView from(std::int64_t i) const noexcept {
    return {cells + i * apart, lane, apart};
  }
};

/// Loads eight elements that lie together.
template <class V>
__attribute__((always_inline)) inline void load_cell(LaneCell& cell, const Complex* from) noexcept {
  for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>) {
    Cell<V> part{load<V>(real(from + lane)), load<V>(real(from + lane) + width_of<V>)};
    unzip(part.re, part.im);
    store_lanes(cell, lane, part);
  }
}

template <class V, class CompiledFor>
__attribute__((always_inline)) inline void store_cell(CompiledFor isa, const LaneCell& cell,
                                                      Complex* to) noexcept {
  for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>) {
    auto part = load_lanes<V>(cell, lane);
    zip(part.re, part.im);
    store_past_caches(isa, real(to + lane), part.re);
    store_past_caches(isa, real(to + lane) + width_of<V>, part.im);
  }
}

[[nodiscard]] inline Complex lane_of(const LaneCell& cell, std::int64_t lane) noexcept {
  return {cell.re[lane], cell.im[lane]};
}

template <class V>
__attribute__((always_inline)) inline Cell<V> product(const Cell<V>& a, const Cell<V>& b) noexcept {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// An element of eight columns and the two factors by which it is multiplied.
struct Factored {
  const LaneCell *element, *coarse, *fine;
  template <class V>
  __attribute__((always_inline)) Cell<V> multiplied(std::int64_t lane) const noexcept {
    return product(load_lanes<V>(*element, lane),
                   product(load_lanes<V>(*coarse, lane), load_lanes<V>(*fine, lane)));
  }
};

/// Elements of a column that are written one after the other: shorter runs, to one of eight columns and then
/// the next, cost memory more than twice the time.
constexpr std::int64_t run_length = 32;

/// Elements of eight columns on their way to memory, column by column.
struct WriteBuffer {
  alignas(64) double lines[lanes][run_length / half][line_width];

  template <class V, class CompiledFor>
  __attribute__((always_inline)) void store(CompiledFor isa, std::int64_t column, std::int64_t elements,
                                            Complex* out) const noexcept {
    const std::int64_t whole = elements / half;
    for (std::int64_t i = 0; i < whole; ++i)
      for (int part = 0; part < line_width; part += width_of<V>)
        store_past_caches(isa, real(out + i * half) + part, load<V>(lines[column][i] + part));
    const auto* const left = reinterpret_cast<const Complex*>(&lines[column][0]);
    for (std::int64_t i = whole * half; i < elements; ++i) out[i] = left[i];
  }
};

/// Makes a line of each column from up to four elements of the eight columns. `next()`: one element of
/// all columns after the other.
template <class V, class Next>
__attribute__((always_inline)) inline void fill_line(WriteBuffer& stage, std::int64_t line,
                                                     std::int64_t elements, const Next& next) noexcept {
  constexpr int width = width_of<V>;
  Factored factored[half] = {};
  for (std::int64_t i = 0; i < elements; ++i) factored[i] = next();
  for (std::int64_t lane = 0; lane < lanes; lane += width) {
    Square<V> x[line_width * sizeof(double) / sizeof(V)];
    for (std::int64_t i = 0; i < half; ++i) {
      const auto cell = i < elements ? factored[i].template multiplied<V>(lane) : Cell<V>{};
      x[2 * i / width][2 * i % width] = cell.re;
      x[2 * i / width][2 * i % width + 1] = cell.im;
    }
    for (int part = 0; part < line_width / width; ++part) {
      transpose(x[part]);
      for (int c = 0; c < width; ++c) store(stage.lines[lane + c][line] + part * width, x[part][c]);
    }
  }
}

template <class V, class Next>
__attribute__((always_inline)) inline void fill(WriteBuffer& stage, std::int64_t elements,
                                                const Next& next) noexcept {
  const std::int64_t whole = elements / half;
  for (std::int64_t line = 0; line < whole; ++line) fill_line<V>(stage, line, half, next);
  if (whole * half < elements) fill_line<V>(stage, whole, elements - whole * half, next);
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
  std::ranges::fill(work_.span(), LaneCell{});  // so that it is there before the clock runs
  const fourier::Roots roots(n);
  for (std::int64_t q = 0; q < b_; ++q)
    for (std::int64_t k = 0; k < a_; ++k) twiddles_.push_back(roots.exact(q * k));
}

void LaneTransforms::run(LaneCell* cells) const noexcept {
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>) {
      const LaneView<V> work{work_.data(), lane};
      for (std::int64_t q = 0; q < b_; ++q) {
        const LaneView<V> column{cells + q, lane, row()};
        run_passes<Lengths::smooth>(first_, column, column, work, twiddles_.data() + q * a_);
      }
      for (std::int64_t k = 0; k < a_; ++k) {
        const LaneView<V> line{cells + k * row(), lane};
        run_passes<Lengths::smooth>(second_, line, line, work, nullptr);
      }
    }
  });
}

TransformedColumns::TransformedColumns(std::int64_t n, std::int64_t columns)
    : columns_(columns), transforms_(n), block_(groups() * transforms_.cells()) {
  std::ranges::fill(block_.span(), LaneCell{});  // as the work space
}

void TransformedColumns::gather(const Complex* in, std::int64_t stride, std::int64_t at,
                                std::int64_t count) const noexcept {
  const std::int64_t whole = columns_ / lanes, rest = columns_ % lanes;
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    LaneTransforms::Entry entry(transforms_, at);
    for (std::int64_t r = 0; r < count; ++r, entry.next()) {
      const Complex* const row = in + r * stride;
      for (std::int64_t c = 0; c < columns_; c += half) __builtin_prefetch(row + rows_ahead * stride + c);
      for (std::int64_t g = 0; g < whole; ++g) load_cell<V>(group(g)[entry.cell()], row + g * lanes);
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
    using V = Part<decltype(isa)::value>;
    LaneTransforms::Exit exit(transforms_, at);
    for (std::int64_t k = 0; k < count; ++k, exit.next()) {
      Complex* const row = out + k * stride;
      for (std::int64_t g = 0; g < whole; ++g) store_cell<V>(isa, group(g)[exit.cell()], row + g * lanes);
      for (std::int64_t lane = 0; lane < rest; ++lane)
        row[whole * lanes + lane] = lane_of(group(whole)[exit.cell()], lane);
    }
  });
}

ColumnPass::Turns::Turns(std::int64_t step_, std::int64_t n1)
    : step(step_),
      coarse(static_cast<std::size_t>((n1 + step - 1) / step)),
      fine(static_cast<std::size_t>(step)) {}

ColumnPass::ColumnPass(const Factors& factors, std::int64_t columns)
    : TransformedColumns(factors.n1, columns),
      n_(factors.n1 * factors.n2),
      roots_(n_),
      first_columns_(two_factors(factors.n1).n2, factors.n1) {
  const auto fill = [this](std::vector<LaneCell>& turns, std::int64_t step) {
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
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    const auto turn_all = [this](const std::vector<LaneCell>& from, std::int64_t power,
                                 std::vector<LaneCell>& to) __attribute__((always_inline)) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        const Complex root = roots_(power * static_cast<std::int64_t>(i));
        for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>)
          store_lanes(to[i], lane, times(load_lanes<V>(from[i], lane), root));
      }
    };
    for (std::int64_t g = 0; g < groups(); ++g) {
      auto& turns = by_group_[static_cast<std::size_t>(g)];
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
    using V = Part<decltype(isa)::value>;
    WriteBuffer stage;
    LaneTransforms::Exit exit(transforms(), at);
    Turns::FactorCursor cursor(by_group_[static_cast<std::size_t>(g)], at);
    for (std::int64_t k = 0; k < count; k += run_length) {
      const auto elements = std::min(run_length, count - k);
      fill<V>(
          stage, elements, [&]() __attribute__((always_inline)) {
            const Factored factored{&group(g)[exit.cell()], &cursor.coarse(), &cursor.fine()};
            exit.next();
            cursor.next();
            return factored;
          });
      for (std::int64_t c = 0; c < mine; ++c) stage.store<V>(isa, c, elements, out + c * stride + k);
    }
  });
}

}  // namespace steelyard::hpcc
