// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/plain_transform.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace steelyard::hpcc {
namespace {

using Complex = std::complex<double>;
using fourier::product;
using fourier::Roots;

/// One pass: `done` is the product of the factors of earlier passes.
struct Pass {
  std::span<const Complex> from;
  std::span<Complex> to;
  std::size_t done;
  const Roots& roots;  // of the whole length
};

template <std::size_t radix>
using Few = std::array<Complex, radix>;

/// The transform of a few values by the roots of order radix; by additions alone if
/// all roots lie on the axes.
template <std::size_t radix>
Few<radix> transformed(const Few<radix>& x, const Few<radix>& wheel) {
  Few<radix> y;
  for (std::size_t k = 0; k < radix; ++k) {
    y[k] = x[0];
    for (std::size_t j = 1; j < radix; ++j) y[k] += product(x[j], wheel[j * k % radix]);
  }
  return y;
}
template <>
Few<2> transformed<2>(const Few<2>& x, const Few<2>&) {
  return {x[0] + x[1], x[0] - x[1]};
}
template <>
Few<4> transformed<4>(const Few<4>& x, const Few<4>&) {
  const auto even = transformed<2>({x[0], x[2]}, {}), odd = transformed<2>({x[1], x[3]}, {});
  const Complex turned(odd[1].imag(), -odd[1].real());
  return {even[0] + odd[0], even[1] + turned, even[0] - odd[0], even[1] - turned};
}

template <std::size_t radix>
void run(const Pass& pass) {
  const std::size_t n = pass.from.size(), rest = n / pass.done / radix;
  Few<radix> wheel, twiddle;
  for (std::size_t k = 0; k < radix; ++k)
    wheel[k] = pass.roots.exact(static_cast<std::int64_t>(n / radix * k));
  for (std::size_t p = 0; p < rest; ++p) {
    for (std::size_t k = 0; k < radix; ++k)
      twiddle[k] = pass.roots(static_cast<std::int64_t>(p * k * pass.done));
    const Complex* const from = pass.from.data() + pass.done * p;
    Complex* const to = pass.to.data() + pass.done * radix * p;
    for (std::size_t q = 0; q < pass.done; ++q) {
      Few<radix> x;
      for (std::size_t j = 0; j < radix; ++j) x[j] = from[q + pass.done * rest * j];
      const auto y = transformed<radix>(x, wheel);
      for (std::size_t k = 0; k < radix; ++k) to[q + pass.done * k] = product(y[k], twiddle[k]);
    }
  }
}

void run(const Pass& pass, int radix) {
  if (radix == 2) return run<2>(pass);
  if (radix == 3) return run<3>(pass);
  if (radix == 4) return run<4>(pass);
  return run<5>(pass);
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

void plain_forward(std::span<Complex> values, std::span<Complex> buffer, const Roots& roots) {
  std::size_t done = 1;
  auto from = values, to = buffer;
  for (const int radix : radices(static_cast<std::int64_t>(values.size()))) {
    run({from, to, done, roots}, radix);
    done *= static_cast<std::size_t>(radix);
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::ranges::copy(from, values.begin());
}

void plain_forward(std::span<Complex> values, std::span<Complex> buffer) {
  plain_forward(values, buffer, Roots(static_cast<std::int64_t>(values.size())));
}

namespace {

/// Transforms the columns of a matrix, a few that lie side by side at a time, so that memory is passed once:
/// load(row, column), store(row, column, value).
template <class Load, class Store>
void transform_columns(std::size_t rows, std::size_t columns, Load load, Store store) {
  constexpr std::size_t most = 8;
  const Roots roots(static_cast<std::int64_t>(rows));
  std::vector<Complex> block(most * rows), work(rows);
  for (std::size_t first = 0; first < columns; first += most) {
    const std::size_t some = std::min(most, columns - first);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < some; ++c) block[c * rows + row] = load(row, first + c);
    for (std::size_t c = 0; c < some; ++c)
      plain_forward(std::span(block).subspan(c * rows, rows), work, roots);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < some; ++c) store(row, first + c, block[c * rows + row]);
  }
}

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
