// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/plain_transform.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "fourier/transforms.hpp"
#include "machine/pages.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

using Complex = std::complex<double>;
using fourier::product;
using fourier::Roots;

/// The same place of as many transforms as the vector has elements, which are computed side by side.
template <class V>
struct Places {
  V re, im;
};

/// Adds b times a number to a.
template <class V>
__attribute__((always_inline)) inline void add_product(Places<V>& a, const Places<V>& b,
                                                       const Complex& number) noexcept {
  a.re += b.re * number.real() - b.im * number.imag();
  a.im += b.re * number.imag() + b.im * number.real();
}

template <std::size_t radix>
using Few = std::array<Complex, radix>;

/// The transform of a few values by the roots of order radix; by additions alone if
/// all roots lie on the axes.
template <std::size_t radix, class V>
__attribute__((always_inline)) inline void transform_few(Places<V> (&y)[radix], const Places<V> (&x)[radix],
                                                         const Few<radix>& wheel) noexcept {
  if constexpr (radix == 2) {
    y[0] = {x[0].re + x[1].re, x[0].im + x[1].im};
    y[1] = {x[0].re - x[1].re, x[0].im - x[1].im};
  } else if constexpr (radix == 4) {
    const Places<V> first[2]{x[0], x[2]}, second[2]{x[1], x[3]};
    Places<V> even[2], odd[2];
    transform_few<2>(even, first, {});
    transform_few<2>(odd, second, {});
    y[0] = {even[0].re + odd[0].re, even[0].im + odd[0].im};
    y[1] = {even[1].re + odd[1].im, even[1].im - odd[1].re};
    y[2] = {even[0].re - odd[0].re, even[0].im - odd[0].im};
    y[3] = {even[1].re - odd[1].im, even[1].im + odd[1].re};
  } else {
    for (std::size_t k = 0; k < radix; ++k) {
      y[k] = x[0];
      for (std::size_t j = 1; j < radix; ++j) add_product(y[k], x[j], wheel[j * k % radix]);
    }
  }
}

/// One pass over transforms side by side: of each place all real parts lie together, then all imaginary ones.
/// `done` is the product of the factors of earlier passes.
struct Pass {
  const double* from;
  double* to;
  std::size_t length, done;
  const Roots& roots;  // of the whole length
};

template <std::size_t radix, class V>
__attribute__((always_inline)) inline void run(const Pass& pass) noexcept {
  constexpr std::size_t width = width_of<V>, place = 2 * width;
  const std::size_t n = pass.length, rest = n / pass.done / radix;
  Few<radix> wheel, twiddle;
  for (std::size_t k = 0; k < radix; ++k)
    wheel[k] = pass.roots.exact(static_cast<std::int64_t>(n / radix * k));
  for (std::size_t p = 0; p < rest; ++p) {
    for (std::size_t k = 0; k < radix; ++k)
      twiddle[k] = pass.roots(static_cast<std::int64_t>(p * k * pass.done));
    const double* from = pass.from + pass.done * p * place;
    double* to = pass.to + pass.done * radix * p * place;
    for (std::size_t q = 0; q < pass.done; ++q, from += place, to += place) {
      Places<V> x[radix], y[radix];
      for (std::size_t j = 0; j < radix; ++j) {
        x[j].re = load<V>(from + pass.done * rest * j * place);
        x[j].im = load<V>(from + pass.done * rest * j * place + width);
      }
      transform_few<radix>(y, x, wheel);
      for (std::size_t k = 0; k < radix; ++k) {
        Places<V> z{};
        add_product(z, y[k], twiddle[k]);
        store(to + pass.done * k * place, z.re);
        store(to + pass.done * k * place + width, z.im);
      }
    }
  }
}

template <class V>
__attribute__((always_inline)) inline void run(const Pass& pass, int radix) noexcept {
  if (radix == 2) return run<2, V>(pass);
  if (radix == 3) return run<3, V>(pass);
  if (radix == 4) return run<4, V>(pass);
  return run<5, V>(pass);
}

/// Radices of a length: its factors, twos in pairs, so that memory is passed half as often.
std::vector<int> radices(std::int64_t n) {
  auto all = smooth_factors(n);
  while (all.size() > 1 && all[all.size() - 1] == 2 && all[all.size() - 2] == 2) {
    all.resize(all.size() - 2);
    all.insert(all.begin(), 4);
  }
  return all;
}

}  // namespace

std::vector<int> smooth_factors(std::int64_t n) {
  std::vector<int> factors;
  for (const int factor : {5, 3, 2})
    for (; n > 1 && n % factor == 0; n /= factor) factors.push_back(factor);
  if (n != 1) throw std::invalid_argument("a length with other prime factors than 2, 3 and 5");
  return factors;
}

namespace {

/// A few transforms of one length at a time: in groups as wide as a vector, group after group.
template <class V>
class Group {
 public:
  Group(const machine::HugeArray<double>& one, const machine::HugeArray<double>& other, const Roots& roots)
      : from_(one.data()), to_(other.data()), n_(one.size() / 2 / line_width), roots_(roots) {}

  __attribute__((always_inline)) void put(std::size_t at, std::size_t which, const Complex& z) noexcept {
    double* const to = place(from_, at, which);
    to[0] = z.real();
    to[width] = z.imag();
  }
  __attribute__((always_inline)) Complex get(std::size_t at, std::size_t which) const noexcept {
    const double* const from = place(from_, at, which);
    return {from[0], from[width]};
  }
  __attribute__((always_inline)) void transform(std::size_t count, const std::vector<int>& radices) noexcept {
    std::size_t done = 1;
    for (const int radix : radices) {
      for (std::size_t i = 0; i < count; i += width)
        run<V>(Pass{place(from_, 0, i), place(to_, 0, i), n_, done, roots_}, radix);
      done *= static_cast<std::size_t>(radix);
      std::swap(from_, to_);
    }
  }

 private:
  static constexpr std::size_t width = width_of<V>;
  [[nodiscard]] __attribute__((always_inline)) double* place(double* values, std::size_t at,
                                                             std::size_t which) const noexcept {
    return values + 2 * (which / width * width * n_ + width * at) + which % width;
  }

  double *from_, *to_;
  std::size_t n_;
  const Roots& roots_;
};

/// Transforms the columns of a matrix, as many that lie side by side at a time as a line has numbers, so that memory is
/// passed once: load(row, column), store(row, column, value).
template <class Load, class Store>
void transform_columns(std::size_t rows, std::size_t columns, Load load, Store store) {
  const Roots roots(static_cast<std::int64_t>(rows));
  const auto all = radices(static_cast<std::int64_t>(rows));
  const auto elements = static_cast<std::int64_t>(2 * line_width * rows);
  const machine::HugeArray<double> one(elements), other(elements);
  run_widest([&](auto isa) __attribute__((always_inline)) {
    Group<Part<decltype(isa)::value>> group(one, other, roots);
    for (std::size_t first = 0; first < columns; first += line_width) {
      const std::size_t some = std::min<std::size_t>(line_width, columns - first);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < some; ++c) group.put(row, c, load(row, first + c));
      group.transform(some, all);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < some; ++c) store(row, first + c, group.get(row, c));
    }
  });
}

}  // namespace

namespace {

/// As plain_forward; turn(row, place, value) is what is stored.
template <class Turn>
void forward(const Blocks& from, std::span<Complex> rows, std::int64_t of_row, Turn turn) {
  const auto length = static_cast<std::size_t>(of_row), count = rows.size() / length;
  const auto part = static_cast<std::size_t>(from.part);
  transform_columns(
      length, count,
      [&](std::size_t at, std::size_t row) {
        return from.values[(at / part * count + row) * part + at % part];
      },
      [&](std::size_t at, std::size_t row, const Complex& z) { rows[row * length + at] = turn(row, at, z); });
}

}  // namespace

void plain_forward(const Blocks& from, std::span<Complex> rows, std::int64_t length) {
  forward(from, rows, length, [](std::size_t, std::size_t, const Complex& z) { return z; });
}

void plain_forward(const Blocks& from, std::span<Complex> rows, std::int64_t length,
                   const fourier::Roots& roots, std::int64_t first) {
  forward(from, rows, length, [&](std::size_t row, std::size_t at, const Complex& z) {
    return product(z, roots((first + static_cast<std::int64_t>(row)) * static_cast<std::int64_t>(at)));
  });
}

void plain_forward(std::span<Complex> rows, std::size_t length) {
  const auto all = static_cast<std::int64_t>(length);
  plain_forward({rows, all}, rows, all);
}

namespace {

/// Divisor of n from its square root on: the first one that factors of n make.
std::size_t divisor_near_root(std::size_t n) {
  std::size_t divisor = 1;
  for (const int factor : smooth_factors(static_cast<std::int64_t>(n)))
    if (divisor * divisor < n) divisor *= static_cast<std::size_t>(factor);
  return divisor;
}

}  // namespace

void plain_inverse(std::span<Complex> values, std::span<Complex> buffer) {
  const std::size_t n = values.size(), rows = divisor_near_root(n), columns = n / rows;
  const double scale = 1 / static_cast<double>(n);
  const Roots roots(static_cast<std::int64_t>(n));
  transform_columns(
      rows, columns,
      [&](std::size_t row, std::size_t column) { return std::conj(values[row * columns + column]); },
      [&](std::size_t row, std::size_t column, const Complex& z) {
        buffer[row * columns + column] = product(z, roots(static_cast<std::int64_t>(row * column)));
      });
  transform_columns(
      columns, rows, [&](std::size_t row, std::size_t column) { return buffer[column * columns + row]; },
      [&](std::size_t row, std::size_t column, const Complex& z) {
        values[row * rows + column] = std::conj(z) * scale;
      });
}

}  // namespace steelyard::hpcc
