// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>

/// The library of Fourier transforms that the program was built with, or its own.
namespace steelyard::hpcc {

using Complex = std::complex<double>;

/// As the key FFT_API of the Summary says it.
[[nodiscard]] std::string_view transform_library();

/// A planned forward transform of n elements that lie together.
class WholeTransform {
 public:
  /// Plans by trying; may overwrite both arrays. Throws std::runtime_error if the library refuses the length.
  WholeTransform(std::int64_t n, Complex* in, Complex* out);
  WholeTransform(WholeTransform&&) noexcept;
  WholeTransform& operator=(WholeTransform&&) noexcept;
  ~WholeTransform();
  /// On the arrays of the plan.
  void run(const Complex* in, Complex* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace steelyard::hpcc
