// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Linear congruential sequences modulo a power of two, with jumps. Pure.
namespace steelyard::hpcc {

/// The step x -> multiplier x + increment modulo 2^64. A modulus of 2^31 needs only the low bits of it.
struct Affine {
  std::uint64_t multiplier = 1;
  std::uint64_t increment = 0;

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t x) const {
    return multiplier * x + increment;
  }

  /// This step taken n times, found in O(log n).
  [[nodiscard]] constexpr Affine times(std::uint64_t n) const {
    Affine result, step = *this;
    for (; n != 0; n /= 2) {
      if (n % 2 == 1) result = step.after(result);
      step = step.after(step);
    }
    return result;
  }

  /// The step that takes `other` first, then this one.
  [[nodiscard]] constexpr Affine after(const Affine& other) const {
    return {multiplier * other.multiplier, multiplier * other.increment + increment};
  }
};

/// The 64-bit generator of the linear solver and of RandomAccess_LCG.
inline constexpr Affine wide_step{6364136223846793005U, 1};
/// The 31-bit generator of PTRANS; take the result modulo 2^31.
inline constexpr Affine narrow_step{1103515245U, 12345};

/// Stream of the 64-bit generator for values that only have to be random and reproducible.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : x_(wide_step.times(3)(seed ^ 0x9e3779b97f4a7c15U)) {}
  /// Next value, uniform on [0, 1), a multiple of 2^-53.
  constexpr double uniform() {
    x_ = wide_step(x_);
    return static_cast<double>(x_ >> 11) * 0x1p-53;
  }
  /// Next value, uniform on 0 .. n-1.
  constexpr int below(int n) { return static_cast<int>(uniform() * n); }

 private:
  std::uint64_t x_;
};

/// State X_k of the matrix of the linear solver, X_0 = 100.
[[nodiscard]] constexpr std::uint64_t solver_state(std::uint64_t k) {
  return wide_step.times(k)(100);
}
/// Element of the matrix for a state, in [-0.5, 0.5].
[[nodiscard]] constexpr double solver_value(std::uint64_t state) {
  return 0.5 - static_cast<double>(state) * 0x1p-64;
}

}  // namespace steelyard::hpcc
