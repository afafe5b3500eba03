// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "suites/ftio/parameters.hpp"

/// Forward transforms of one process: FFTW with a plan that is guessed, as the seed has it, or the program's
/// own.
namespace steelyard::ftio {

/// `count` transforms of length n; element j of transform t is at t * distance + j * stride, before and
/// after.
struct TransformSet {
  std::int64_t n = 1, count = 1;
  std::int64_t stride = 1, distance = 1;
};

/// "FFTW3 (estimated plan)" or "built-in".
[[nodiscard]] std::string_view transform_library();

/// A planned set of transforms, not in place.
class SerialTransforms {
 public:
  /// Leaves both arrays alone. Throws std::runtime_error if the library has no plan, std::bad_alloc.
  SerialTransforms(const TransformSet& set, Complex* in, Complex* out);
  SerialTransforms(SerialTransforms&&) noexcept;
  SerialTransforms& operator=(SerialTransforms&&) noexcept;
  ~SerialTransforms();
  /// On the arrays of the plan; may use up what is in `in`.
  void run(Complex* in, Complex* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace steelyard::ftio
