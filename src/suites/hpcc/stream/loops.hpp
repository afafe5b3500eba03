// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The four kernels of STREAM. Pure. Source: 004_d8fcc96de81908c2.txt section 1.
namespace steelyard::hpcc {

enum class StreamKernel { copy, scale, add, triad };
inline constexpr std::array stream_kernels{StreamKernel::copy, StreamKernel::scale, StreamKernel::add,
                                           StreamKernel::triad};

[[nodiscard]] constexpr std::string_view text(StreamKernel kernel) {
  constexpr std::array<std::string_view, 4> words{"Copy", "Scale", "Add", "Triad"};
  return words[static_cast<std::size_t>(kernel)];
}

/// Bytes counted for one run of a kernel; what a cache fetches before a store is not.
[[nodiscard]] constexpr std::int64_t stream_byte(StreamKernel kernel, std::int64_t n) {
  return (kernel == StreamKernel::copy || kernel == StreamKernel::scale ? 16 : 24) * n;
}

/// Trials of STREAM, of which the first does not count.
inline constexpr int stream_trials = 10;
/// Runs of a kernel with each way to store before the trials, of which the best decides about the way.
inline constexpr int stream_tries = 3;

/// The four loops of STREAM over n doubles; all pointers on boundaries of 64 byte.
struct StreamLoops {
  void (*copy)(double* to, const double* from, std::size_t n) noexcept;
  void (*scale)(double* to, const double* from, double s, std::size_t n) noexcept;
  void (*add)(double* to, const double* x, const double* y, std::size_t n) noexcept;
  void (*triad)(double* to, const double* x, const double* y, double s, std::size_t n) noexcept;
};

/// Ways to store: what the compiler makes of the plain loops for the widest instruction set of the processor; past the
/// caches; past the caches in several pages at once.
enum class Stores { plain, streaming, interleaved };
inline constexpr std::array all_stores{Stores::plain, Stores::streaming, Stores::interleaved};
[[nodiscard]] std::string_view text(Stores stores);

/// nullptr for a way that this processor does not have; plain ones always are.
[[nodiscard]] const StreamLoops* loops_with(Stores stores);

}  // namespace steelyard::hpcc
