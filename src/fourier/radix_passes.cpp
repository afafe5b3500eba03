// SPDX-License-Identifier: Apache-2.0
#include "fourier/radix_passes.hpp"

#include <algorithm>
#include <stdexcept>

namespace steelyard::fourier {
namespace {

constexpr int written_out[] = {2, 3, 4, 5, 8};

/// Divides the prime factors above 5 out of n.
std::vector<int> take_large_factors(std::int64_t& n) {
  std::int64_t rest = n;
  for (const int small : {2, 3, 5})
    while (rest % small == 0) rest /= small;
  std::vector<int> factors;
  for (std::int64_t factor = 7; rest > 1; factor += 2) {
    if (factor * factor > rest) factor = rest;
    for (; rest % factor == 0; rest /= factor, n /= factor) factors.push_back(static_cast<int>(factor));
  }
  return factors;
}

RadixPass make_pass(int radix, std::int64_t done, const Roots& roots, std::int64_t n) {
  RadixPass pass{radix, done, n / done / radix, {}, {}};
  pass.twiddles.reserve(static_cast<std::size_t>(pass.rest * (radix - 1)));
  for (std::int64_t p = 0; p < pass.rest; ++p)
    for (int k = 1; k < radix; ++k) pass.twiddles.push_back(roots.exact(p * k * done));
  if (std::ranges::find(written_out, radix) != std::end(written_out)) return pass;
  pass.wheel.reserve(static_cast<std::size_t>(radix));
  for (int k = 0; k < radix; ++k) pass.wheel.push_back(root(k, radix));
  return pass;
}

}  // namespace

std::vector<int> radices(std::int64_t n, Lengths lengths) {
  if (n < 1) throw std::invalid_argument("a transform of no elements");
  auto all = lengths == Lengths::all ? take_large_factors(n) : std::vector<int>();
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

std::vector<RadixPass> radix_passes(std::int64_t n, Lengths lengths) {
  const Roots roots(n);
  std::vector<RadixPass> passes;
  std::int64_t done = 1;
  for (const int radix : radices(n, lengths)) {
    passes.push_back(make_pass(radix, done, roots, n));
    done *= radix;
  }
  return passes;
}

std::int64_t table_elements(std::int64_t n) {
  std::int64_t twiddles = n - 1, wheels = 0;
  for (const int radix : radices(n, Lengths::all))
    if (std::ranges::find(written_out, radix) == std::end(written_out)) wheels += radix;
  return twiddles + wheels;
}

void pass_of_any_radix(const RadixPass& pass, const Cells& from, const Cells& to) noexcept {
  const std::int64_t radix = pass.radix, done = pass.done, apart = pass.rest * done;
  const auto wheel = [&](std::int64_t turn) { return pass.wheel[static_cast<std::size_t>(turn % radix)]; };
  for (std::int64_t p = 0; p < pass.rest; ++p)
    for (std::int64_t q = 0; q < done; ++q)
      for (std::int64_t k = 0; k < radix; ++k) {
        auto sum = from.load(p * done + q);
        for (std::int64_t j = 1; j < radix; ++j)
          sum = sum + times(from.load(p * done + q + j * apart), wheel(j * k));
        const auto twiddle = static_cast<std::size_t>(p * (radix - 1) + k - 1);
        to.store((p * radix + k) * done + q, k == 0 ? sum : times(sum, pass.twiddles[twiddle]));
      }
}

}  // namespace steelyard::fourier
