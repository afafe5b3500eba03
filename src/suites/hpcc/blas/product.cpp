// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "machine/pages.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

double operations(std::int64_t n) {
  const auto order = static_cast<double>(n);
  return 2 * order * order * order;
}

/// Element between -0.5 and 0.5, by matrix and position.
double element(std::uint64_t matrix, std::int64_t position) {
  std::uint64_t bits = (matrix << 48) + static_cast<std::uint64_t>(position) + 1;
  for (const int shift : {31, 29, 32}) {
    bits ^= bits >> shift;
    bits *= 0xd6e8feb86659fd93U;
  }
  return static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
}

/// Matrices A and B of an order, and C <- A B by the library.
class Product {
 public:
  Product(const BlasLibrary& library, std::int64_t n)
      : library_(library), n_(n), a_(n * n), b_(n * n), c_(n * n) {
    for (std::int64_t i = 0; i < n * n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      a_[at] = element(1, i);
      b_[at] = element(2, i);
    }
    poison();
  }

  void poison() { std::ranges::fill(c_.span(), std::numeric_limits<double>::quiet_NaN()); }
  double multiply() {
    const Stopwatch watch;
    library_.multiply(n_, 1, a_.data(), b_.data(), 0, c_.data());
    return watch.seconds();
  }
  /// C <- C - A B
  void subtract() { library_.multiply(n_, -1, a_.data(), b_.data(), 1, c_.data()); }

  /// Whether every element of C is `of_it` times that of the plain product.
  [[nodiscard]] bool equals_plain(double of_it) const {
    const auto n = static_cast<std::size_t>(n_);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += a_[i + k * n] * b_[k + j * n];
        if (!(std::abs(c_[i + j * n] - of_it * sum) <= element_tolerance())) return false;
      }
    return true;
  }

  /// Whether C x is A (B x) for a vector x of which no element is like another.
  [[nodiscard]] bool equals_through_vector() const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = element(3, static_cast<std::int64_t>(i));
    const auto expected = times(a_, times(b_, x)), found = times(c_, x);
    const double tolerance = element_tolerance() * static_cast<double>(n_);
    for (std::size_t i = 0; i < n; ++i)
      if (!(std::abs(found[i] - expected[i]) <= tolerance)) return false;
    return true;
  }

 private:
  /// Four times the most that the rounding of n products of at most 1/4 can come to.
  [[nodiscard]] double element_tolerance() const {
    const auto n = static_cast<double>(n_);
    return n * n * unit_roundoff;
  }

  [[nodiscard]] static std::vector<double> times(const machine::HugeArray<double>& matrix,
                                                 const std::vector<double>& x) {
    const std::size_t n = x.size();
    std::vector<double> y(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) y[i] += matrix[i + j * n] * x[j];
    return y;
  }

  const BlasLibrary& library_;
  std::int64_t n_;
  machine::HugeArray<double> a_, b_, c_;
};

/// Odd order, so that blocks of every kernel have remainders.
constexpr std::int64_t small_order = 75;

std::string fault_of_small_products(const BlasLibrary& library) {
  Product product(library, small_order);
  product.multiply();
  if (!product.equals_plain(1)) return "a product of order " + std::to_string(small_order) + " is wrong";
  product.subtract();
  if (!product.equals_plain(0)) return "a product that is added to a matrix is wrong";
  return "";
}

/// Seconds of the fastest of some products, which take about that long together and are at least two.
double best_seconds(Product& product, double for_s) {
  double best = product.multiply();
  for (double taken = best, count = 1; count < 2 || taken < for_s; ++count) {
    const double one = product.multiply();
    best = std::min(best, one);
    taken += one;
  }
  return std::max(best, 1e-9);
}

/// Order whose product takes some milliseconds: of many short ones at least one is not disturbed. Slow
/// libraries get smaller matrices, as a product shall not take longer than 0.02 s.
std::int64_t order_for(double flop_s, int threads) {
  constexpr double one_product_s = 0.02;
  const auto wanted = 384 * std::cbrt(static_cast<double>(threads));
  const auto affordable = std::cbrt(one_product_s * flop_s / 2);
  const auto order = static_cast<std::int64_t>(std::min({wanted, affordable, 1280.0}));
  return std::max<std::int64_t>(order / 32 * 32, 96);
}

}  // namespace

CheckedRate checked_rate(const BlasLibrary& library, int threads) {
  constexpr std::int64_t first_order = 128;
  constexpr double first_s = 0.002, measured_s = 0.02;
  library.set_threads(threads);
  CheckedRate found;
  found.wrong = fault_of_small_products(library);
  if (!found.wrong.empty()) return found;
  Product first(library, first_order);
  const double guess = operations(first_order) / best_seconds(first, first_s);
  found.order = order_for(guess, threads);
  Product product(library, found.order);
  found.flop_s = operations(found.order) / best_seconds(product, measured_s);
  product.poison();
  product.multiply();
  if (!first.equals_through_vector() || !product.equals_through_vector())
    found.wrong = "a product of order " + std::to_string(found.order) + " is wrong";
  return found;
}

}  // namespace steelyard::hpcc
