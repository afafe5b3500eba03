// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/plain_fft.hpp"

#include <utility>

#include "suites/ftio/closed_form.hpp"
#include "suites/hpcc/fft/roots.hpp"

namespace steelyard::ftio {

PlainFft::PlainFft(std::int64_t n)
    : n_(n), from_(static_cast<std::size_t>(n)), to_(static_cast<std::size_t>(n)) {
  for (std::int64_t rest = n, prime = 2; rest > 1; ++prime)
    for (; rest % prime == 0; rest /= prime) radices_.push_back(prime);
  for (std::int64_t k = 0; k < n; ++k) roots_.push_back(root(k, n));
}

void PlainFft::run(const Complex* in, Complex* out, std::int64_t stride) noexcept {
  for (std::int64_t k = 0; k < n_; ++k) from_[static_cast<std::size_t>(k)] = in[k * stride];
  std::int64_t done = 1;
  for (const std::int64_t radix : radices_) {
    pass(radix, done);
    done *= radix;
  }
  for (std::int64_t k = 0; k < n_; ++k) out[k * stride] = from_[static_cast<std::size_t>(k)];
}

/// `done`: product of the earlier passes' radices.
void PlainFft::pass(std::int64_t radix, std::int64_t done) noexcept {
  const std::int64_t rest = n_ / done / radix;
  for (std::int64_t p = 0; p < rest; ++p)
    for (std::int64_t q = 0; q < done; ++q)
      for (std::int64_t k = 0; k < radix; ++k) {
        Complex sum = 0;
        for (std::int64_t j = 0; j < radix; ++j) {
          const std::int64_t turn = (j * k * (n_ / radix) + p * k * done) % n_;
          const auto at = static_cast<std::size_t>((p + j * rest) * done + q);
          sum += hpcc::product(from_[at], roots_[static_cast<std::size_t>(turn)]);
        }
        to_[static_cast<std::size_t>((p * radix + k) * done + q)] = sum;
      }
  std::swap(from_, to_);
}

}  // namespace steelyard::ftio
