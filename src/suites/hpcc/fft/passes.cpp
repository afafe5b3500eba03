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
// How far ahead lines of the block, which is in the second level, are asked for before they are written.
constexpr std::int64_t cells_ahead = 4;

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

/// View of every b-th cell of tiles from number q on, that a register holds lanes of.
template <class V>
struct TileView {
  using Value = V;
  RowPass::Tiles tiles;
  std::int64_t lane, q, b;
  __attribute__((always_inline)) Cell<V> load(std::int64_t i) const noexcept {
    const auto at = static_cast<std::uint32_t>(q + b * i), width = static_cast<std::uint32_t>(tiles.width);
    return load_lanes<V>(tiles.first[at / width * tiles.distance + at % width], lane);
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

/// Makes a cell of each of eight columns from up to eight elements of them. `next()`: one element of all
/// columns after the other.
template <class V, class Next>
__attribute__((always_inline)) inline void turn_over(LaneCell (&to)[lanes], std::int64_t elements,
                                                     const Next& next) noexcept {
  constexpr int width = width_of<V>;
  Factored factored[lanes] = {};
  for (std::int64_t i = 0; i < elements; ++i) factored[i] = next();
  for (std::int64_t column = 0; column < lanes; column += width)
    for (std::int64_t first = 0; first < lanes; first += width) {
      Square<V> re, im;
      for (int i = 0; i < width; ++i) {
        const auto cell =
            first + i < elements ? factored[first + i].template multiplied<V>(column) : Cell<V>{};
        re[i] = cell.re;
        im[i] = cell.im;
      }
      transpose(re);
      transpose(im);
      for (int c = 0; c < width; ++c) store_lanes(to[column + c], first, Cell<V>{re[c], im[c]});
    }
}

template <class V, class CompiledFor>
__attribute__((always_inline)) inline void store_whole(CompiledFor isa, const LaneCell& cell,
                                                       LaneCell& to) noexcept {
  for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>)
    store_past_caches(isa, to.re + lane, load<V>(cell.re + lane));
  for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>)
    store_past_caches(isa, to.im + lane, load<V>(cell.im + lane));
}

}  // namespace

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

template <class V, class From>
__attribute__((always_inline)) inline void LaneTransforms::first_round(LaneCell* cells, std::int64_t lane,
                                                                       const From& from) const noexcept {
  const LaneView<V> work{work_.data(), lane};
  for (std::int64_t q = 0; q < b_; ++q)
    run_passes<Lengths::smooth>(first_, from(q), LaneView<V>{cells + q, lane, row()}, work,
                                twiddles_.data() + q * a_);
}

template <class V>
__attribute__((always_inline)) inline void LaneTransforms::second_round(LaneCell* cells, std::int64_t lane,
                                                                        std::int64_t k) const noexcept {
  const LaneView<V> all{line(cells, k), lane};
  run_passes<Lengths::smooth>(second_, all, all, LaneView<V>{work_.data(), lane}, nullptr);
}

void LaneTransforms::run(LaneCell* cells) const noexcept {
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>) {
      first_round<V>(
          cells, lane, [&](std::int64_t q) __attribute__((always_inline)) {
            return LaneView<V>{cells + q, lane, row()};
          });
      for (std::int64_t k = 0; k < a_; ++k) second_round<V>(cells, lane, k);
    }
  });
}

ColumnPass::Turns::Turns(std::int64_t step_, std::int64_t n1)
    : step(step_),
      coarse(static_cast<std::size_t>((n1 + step - 1) / step)),
      fine(static_cast<std::size_t>(step)) {}

ColumnPass::ColumnPass(const Factors& factors, std::int64_t columns)
    : n_(factors.n1 * factors.n2),
      columns_(columns),
      transforms_(factors.n1),
      block_(groups() * transforms_.cells()),
      roots_(n_),
      first_columns_(two_factors(factors.n1).n2, factors.n1) {
  std::ranges::fill(block_.span(), LaneCell{});  // as the work space
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

void ColumnPass::gather(const Complex* in, std::int64_t stride, std::int64_t at,
                        std::int64_t count) const noexcept {
  const std::int64_t whole = columns_ / lanes, rest = columns_ % lanes;
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    LaneTransforms::Entry entry(transforms_, at);
    for (std::int64_t r = 0; r < count; ++r, entry.next()) {
      const Complex* const row = in + r * stride;
      for (std::int64_t c = 0; c < columns_; c += half) __builtin_prefetch(row + rows_ahead * stride + c);
      for (std::int64_t g = 0; g < whole; ++g) {
        LaneCell* const cell = group(g) + entry.cell();
        __builtin_prefetch((cell + cells_ahead)->re, 1);
        __builtin_prefetch((cell + cells_ahead)->im, 1);
        load_cell<V>(*cell, row + g * lanes);
      }
      for (std::int64_t lane = 0; lane < rest; ++lane) {
        auto& cell = group(whole)[entry.cell()];
        cell.re[lane] = row[whole * lanes + lane].real();
        cell.im[lane] = row[whole * lanes + lane].imag();
      }
    }
  });
}

void ColumnPass::transform() const noexcept {
  for (std::int64_t g = 0; g < groups(); ++g) transforms_.run(group(g));
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

void ColumnPass::store(std::int64_t at, std::int64_t count, LaneCell* out,
                       std::int64_t stride) const noexcept {
  for (std::int64_t g = 0; g < groups(); ++g) store_group(g, at, count, out + g * lanes, stride);
}

void ColumnPass::store_group(std::int64_t g, std::int64_t at, std::int64_t count, LaneCell* out,
                             std::int64_t stride) const noexcept {
  const auto mine = std::min(lanes, columns_ - g * lanes);
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    LaneTransforms::Exit exit(transforms_, at);
    Turns::FactorCursor cursor(by_group_[static_cast<std::size_t>(g)], at);
    const auto next = [&]() __attribute__((always_inline)) {
      const Factored factored{&group(g)[exit.cell()], &cursor.coarse(), &cursor.fine()};
      exit.next();
      cursor.next();
      return factored;
    };
    LaneCell cells[lanes];
    for (std::int64_t k = 0; k < count; k += lanes) {
      turn_over<V>(cells, std::min(lanes, count - k), next);
      for (std::int64_t c = 0; c < mine; ++c) store_whole<V>(isa, cells[c], out[k / lanes * stride + c]);
    }
  });
}

void copy_past_caches(const Complex* from, std::int64_t count, Complex* to) noexcept {
  run_widest([=](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    const std::int64_t whole = count / half * line_width;
    for (std::int64_t i = 0; i < whole; i += width_of<V>)
      store_past_caches(isa, real(to) + i, load<V>(real(from) + i));
    std::copy(from + count / half * half, from + count, to + count / half * half);
  });
}

RowPass::RowPass(std::int64_t n2) : n2_(n2), transforms_(n2), block_(transforms_.cells()) {
  std::ranges::fill(block_.span(), LaneCell{});  // as the work space
}

void RowPass::run(const Tiles& from, std::int64_t rows, std::span<const Place> to) const noexcept {
  const std::int64_t part = n2_ / static_cast<std::int64_t>(to.size());
  run_widest([ =, this ](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    const std::int64_t a = transforms_.lines(), b = transforms_.line_cells();
    LaneCell* const cells = block_.data();
    for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>)
      transforms_.first_round<V>(
          cells, lane, [&](std::int64_t q) __attribute__((always_inline)) {
            return TileView<V>{from, lane, q, b};
          });
    for (std::int64_t k = 0; k < a; ++k) {
      for (std::int64_t lane = 0; lane < lanes; lane += width_of<V>)
        transforms_.second_round<V>(cells, lane, k);
      const LaneCell* const line = transforms_.line(cells, k);
      auto place = to.begin();
      for (std::int64_t k2 = 0, at = k; k2 < b; ++k2, at += a) {
        for (; at >= part; at -= part) ++place;
        Complex* const row = place->first + at * place->stride;
        if (rows >= lanes)
          store_cell<V>(isa, line[k2], row);
        else
          for (std::int64_t lane = 0; lane < rows; ++lane) row[lane] = lane_of(line[k2], lane);
      }
    }
  });
}

}  // namespace steelyard::hpcc
