// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"

namespace steelyard::hpcc {

/// DGEMM on one process: C <- alpha A B + beta C with matrices of order n, uniform on [0, 1). Every run works
/// on the C that the last one left.
class Dgemm {
 public:
  /// Fills the matrices by sequences that follow the seed; they are touched first by so many threads, which
  /// the library may use. Throws std::bad_alloc, std::invalid_argument if the order does not suit the
  /// library, std::runtime_error without a BLAS.
  Dgemm(std::int64_t n, std::uint64_t seed, BlasLibrary library = BlasLibrary::linked(), int threads = 1);

  void run() noexcept;

  /// Compares the product of the result and a random vector with that of the factors, for all runs so far.
  /// `worst`: residual in units of the rounding error; `errors` = 1 unless it is below the threshold.
  [[nodiscard]] measure::CheckResult verify(double threshold = default_threshold) const;

  [[nodiscard]] double* result() const noexcept { return c_.data(); }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const {
    return {{"A", a_.memory()}, {"B", b_.memory()}, {"C", c_.memory()}};
  }

 private:
  [[nodiscard]] std::vector<double> expected_product(const std::vector<double>& x) const;

  std::int64_t n_;
  std::uint64_t seed_;
  BlasLibrary library_;
  machine::HugeArray<double> a_, b_, c_;
  double alpha_ = 0, beta_ = 0;
  int runs_ = 0;
};

}  // namespace steelyard::hpcc
