// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::hpcc {

/// The four loops of STREAM over n doubles; all pointers on boundaries of 64 byte.
struct StreamLoops {
  void (*copy)(double* to, const double* from, std::size_t n) noexcept;
  void (*scale)(double* to, const double* from, double s, std::size_t n) noexcept;
  void (*add)(double* to, const double* x, const double* y, std::size_t n) noexcept;
  void (*triad)(double* to, const double* x, const double* y, double s, std::size_t n) noexcept;
};

/// What the compiler makes of the plain loops, for the widest instruction set of the processor.
[[nodiscard]] const StreamLoops& plain_loops();
/// The same with stores that bypass the caches; nullptr where there are none.
[[nodiscard]] const StreamLoops* streaming_loops();

}  // namespace steelyard::hpcc
