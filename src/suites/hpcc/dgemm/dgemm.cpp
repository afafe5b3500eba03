// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/dgemm/dgemm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {
namespace {

enum class Sequence : std::uint64_t { a, b, c, x };

/// Random sequence of a matrix or vector. Sequences of one seed start at states far apart.
Random sequence(std::uint64_t seed, Sequence which) {
  const auto part = static_cast<std::uint64_t>(which) << 61;
  return Random(wide_step.times(part + 1000 * seed)(seed));
}

void fill(std::span<double> values, Random random) {
  for (auto& value : values) value = random.uniform();
}

/// y <- y + s M x
void add_product(std::vector<double>& y, double s, const double* matrix, const std::vector<double>& x) {
  const std::size_t n = y.size();
  for (std::size_t j = 0; j < n; ++j, matrix += n)
    for (std::size_t i = 0; i < n; ++i) y[i] += s * x[j] * matrix[i];
}

/// Largest magnitude; NaN if there is one, wherever it stands. A maximum alone passes over it.
double largest(const std::vector<double>& values) {
  double most = 0;
  bool numbers = true;
  for (const double value : values) {
    most = std::max(most, std::abs(value));
    numbers = numbers && !std::isnan(value);
  }
  return numbers ? most : std::numeric_limits<double>::quiet_NaN();
}

double largest_row_sum(const double* matrix, std::size_t n) {
  std::vector<double> sums(n);
  for (std::size_t j = 0; j < n; ++j, matrix += n)
    for (std::size_t i = 0; i < n; ++i) sums[i] += std::abs(matrix[i]);
  return largest(sums);
}

std::int64_t checked(std::int64_t n, const BlasLibrary& library) {
  if (library.is_linked() && !blas::available()) throw std::runtime_error("built without a BLAS");
  if (n < 1 || n > std::numeric_limits<int>::max())
    throw std::invalid_argument("an order that DGEMM cannot take");
  return n;
}

}  // namespace

Dgemm::Dgemm(std::int64_t n, std::uint64_t seed, BlasLibrary library, int threads)
    : n_(checked(n, library)), seed_(seed), library_(std::move(library)), a_(n * n), b_(n * n), c_(n * n) {
  library_.set_threads(threads);
  for (const auto* matrix : {&a_, &b_, &c_}) touch_first(matrix->span(), threads);
  fill(a_.span(), sequence(seed, Sequence::a));
  fill(b_.span(), sequence(seed, Sequence::b));
  fill(c_.span(), sequence(seed, Sequence::c));
  const auto middle = static_cast<std::size_t>(n / 2);
  alpha_ = a_[middle];
  beta_ = b_[middle];
}

void Dgemm::run() noexcept {
  library_.multiply(n_, alpha_, a_.data(), b_.data(), beta_, c_.data());
  ++runs_;
}

/// The product C x. After k runs C = alpha (1 + beta + .. + beta^(k-1)) A B + beta^k C0.
std::vector<double> Dgemm::expected_product(const std::vector<double>& x) const {
  const auto n = x.size();
  double powers = 0, power = 1;
  for (int run = 0; run < runs_; ++run, power *= beta_) powers += power;
  std::vector<double> bx(n), y(n), column(n);
  add_product(bx, 1, b_.data(), x);
  add_product(y, alpha_ * powers, a_.data(), bx);
  auto initial = sequence(seed_, Sequence::c);
  for (const double xj : x)
    for (std::size_t i = 0; i < n; ++i) y[i] += power * initial.uniform() * xj;
  return y;
}

measure::CheckResult Dgemm::verify(double threshold) const {
  std::vector<double> x(static_cast<std::size_t>(n_));
  fill(x, sequence(seed_, Sequence::x));
  auto difference = expected_product(x);
  add_product(difference, -1, c_.data(), x);
  const double scale =
      largest_row_sum(c_.data(), x.size()) * largest(x) * static_cast<double>(n_) * half_epsilon;
  measure::CheckResult result;
  result.worst = largest(difference) / scale;
  if (result.worst < threshold) return result;  // not the other way round: NaN fails
  result.errors = 1;
  result.first = "scaled residual " + std::to_string(result.worst);
  return result;
}

}  // namespace steelyard::hpcc
