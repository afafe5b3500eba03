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

/// `count` forward transforms of length n: element j of transform i is at in[i * in_distance + j *
/// in_stride].
struct TransformShape {
  std::int64_t n = 1, count = 1;
  std::int64_t in_stride = 1, in_distance = 1;
  std::int64_t out_stride = 1, out_distance = 1;
};

/// A planned set of transforms.
class Transforms {
 public:
  /// Plans by trying; may overwrite both arrays. In place if they are the same. Throws std::runtime_error if the
  /// library refuses the shape.
  Transforms(const TransformShape& shape, Complex* in, Complex* out);
  Transforms(Transforms&&) noexcept;
  Transforms& operator=(Transforms&&) noexcept;
  ~Transforms();
  /// On arrays of the same alignment, the same one twice only if planned so.
  void run(const Complex* in, Complex* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace steelyard::hpcc
