// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/hpcc/fft/transforms.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"

/// The program's own Fourier transforms, for builds without a library of them.
namespace steelyard::hpcc {

/// One pass of a self-sorting transform of length n: n / radix butterflies.
struct RadixPass {
  int radix;
  std::int64_t done;              // product of the earlier passes' radices
  std::int64_t rest;              // n / done / radix
  std::vector<Complex> twiddles;  // [rest][radix - 1]: exp(-2 pi i p k done / n), k from 1
};

/// Radices 8, 4, 2, 3 and 5 for a length; their product is n, none for n = 1. Throws std::invalid_argument
/// for a length with another prime factor.
[[nodiscard]] std::vector<int> radices(std::int64_t n);

/// A set of forward transforms of one shape. Eight of them are computed at a time, one in each lane of a
/// vector; a single one alone.
class ShortTransforms {
 public:
  /// Throws std::bad_alloc, std::invalid_argument for a length that is no product of 2, 3 and 5.
  explicit ShortTransforms(const TransformShape& shape);
  /// In place if both arrays are the same and are laid out alike. Not from two threads at once.
  void run(const Complex* in, Complex* out) const noexcept;

 private:
  template <class Value>
  void run_group(const Complex* in, Complex* out, std::int64_t lanes) const noexcept;

  TransformShape shape_;
  std::vector<RadixPass> passes_;
  HugeArray<double> work_;  // two arrays of n cells
};

}  // namespace steelyard::hpcc
