// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace steelyard::fourier {

/// The product alone: std::complex's own looks for NaN and infinity.
[[nodiscard]] constexpr std::complex<double> product(std::complex<double> a,
                                                     std::complex<double> b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i e / n), the argument reduced before it is made a floating-point number.
[[nodiscard]] inline std::complex<double> root(std::int64_t e, std::int64_t n) {
  const long double turn = 2 * std::numbers::pi_v<long double>;
  const long double angle = -turn * static_cast<long double>(e % n) / static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

/// Powers of exp(-2 pi i / n) from two tables of about sqrt(n) entries: one multiplication, hence an error of
/// about two roundings.
class Roots {
 public:
  explicit Roots(std::int64_t n)
      : n_(n), bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)) + 1) / 2) {
    for (std::int64_t e = 0; e < std::int64_t{1} << bits_; ++e) fine_.push_back(exact(e));
    for (std::int64_t e = 0; e < n; e += std::int64_t{1} << bits_) coarse_.push_back(exact(e));
  }

  /// e in 0 .. n-1.
  [[nodiscard]] std::complex<double> operator()(std::int64_t e) const noexcept {
    const auto high = coarse_[static_cast<std::size_t>(e >> bits_)];
    const auto low = fine_[static_cast<std::size_t>(e & ((std::int64_t{1} << bits_) - 1))];
    return product(high, low);
  }

  [[nodiscard]] std::complex<double> exact(std::int64_t e) const { return root(e, n_); }

 private:
  std::int64_t n_;
  int bits_;
  std::vector<std::complex<double>> fine_, coarse_;
};

}  // namespace steelyard::fourier
