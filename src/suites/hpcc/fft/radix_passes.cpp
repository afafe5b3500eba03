// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/radix_passes.hpp"

#include <stdexcept>

#include "suites/hpcc/fft/roots.hpp"

namespace steelyard::hpcc {

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

std::vector<RadixPass> radix_passes(std::int64_t n) {
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

}  // namespace steelyard::hpcc
