// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/plain_transform.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "fourier/roots.hpp"

namespace steelyard::hpcc {
namespace {

using Complex = std::complex<double>;
using fourier::product;
using fourier::Roots;
constexpr int most_radix = 5;

/// One pass: `done` is the product of the factors of earlier passes.
struct Pass {
  std::span<const Complex> from;
  std::span<Complex> to;
  std::size_t done;
  std::size_t radix;
  const Roots& roots;  // of the whole length
};

using Wheel = std::array<Complex, most_radix>;  // powers of the root of order radix

void butterflies(const Pass& pass, std::size_t p, std::size_t rest, const Wheel& wheel) {
  Wheel twiddle;
  for (std::size_t k = 0; k < pass.radix; ++k)
    twiddle[k] = pass.roots(static_cast<std::int64_t>(p * k * pass.done));
  for (std::size_t q = 0; q < pass.done; ++q)
    for (std::size_t k = 0; k < pass.radix; ++k) {
      Complex sum;
      for (std::size_t j = 0; j < pass.radix; ++j)
        sum += product(pass.from[q + pass.done * (p + rest * j)], wheel[j * k % pass.radix]);
      pass.to[q + pass.done * (pass.radix * p + k)] = product(sum, twiddle[k]);
    }
}

void run(const Pass& pass) {
  const std::size_t n = pass.from.size();
  const std::size_t rest = n / pass.done / pass.radix;
  Wheel wheel;
  for (std::size_t k = 0; k < pass.radix; ++k)
    wheel[k] = pass.roots.exact(static_cast<std::int64_t>(n / pass.radix * k));
  for (std::size_t p = 0; p < rest; ++p) butterflies(pass, p, rest, wheel);
}

}  // namespace

std::vector<int> smooth_factors(std::int64_t n) {
  std::vector<int> factors;
  for (const int factor : {5, 3, 2})
    for (; n > 1 && n % factor == 0; n /= factor) factors.push_back(factor);
  if (n != 1) throw std::invalid_argument("a length with other prime factors than 2, 3 and 5");
  return factors;
}

void plain_forward(std::span<Complex> values, std::span<Complex> buffer) {
  const auto n = static_cast<std::int64_t>(values.size());
  const Roots roots(n);
  std::size_t done = 1;
  auto from = values, to = buffer;
  for (const int factor : smooth_factors(n)) {
    const auto radix = static_cast<std::size_t>(factor);
    run({from, to, done, radix, roots});
    done *= radix;
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::ranges::copy(from, values.begin());
}

void plain_inverse(std::span<Complex> values, std::span<Complex> buffer) {
  const double scale = 1 / static_cast<double>(values.size());
  for (auto& z : values) z = std::conj(z);
  plain_forward(values, buffer);
  for (auto& z : values) z = std::conj(z) * scale;
}

}  // namespace steelyard::hpcc
