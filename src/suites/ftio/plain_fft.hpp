// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "suites/ftio/parameters.hpp"

namespace steelyard::ftio {

/// A forward transform of any length, for builds without a library: self-sorting passes, one per prime
/// factor; a factor r costs r operations an element. Not from two threads at once.
class PlainFft {
 public:
  explicit PlainFft(std::int64_t n);
  /// Elements at distance `stride` in both arrays.
  void run(const Complex* in, Complex* out, std::int64_t stride) noexcept;

 private:
  void pass(std::int64_t radix, std::int64_t done) noexcept;

  std::int64_t n_;
  std::vector<std::int64_t> radices_;
  std::vector<Complex> roots_;  // exp(-2 pi sqrt(-1) k / n)
  std::vector<Complex> from_, to_;
};

}  // namespace steelyard::ftio
