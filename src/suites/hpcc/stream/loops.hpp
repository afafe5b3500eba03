// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The four kernels of STREAM. Pure. Source: HPCC balance paper, 1.
namespace steelyard::hpcc {

struct PointSpec;
struct Settings;

enum class StreamKernel { copy, scale, add, triad };
inline constexpr std::array stream_kernels{StreamKernel::copy, StreamKernel::scale, StreamKernel::add,
                                           StreamKernel::triad};

[[nodiscard]] constexpr std::string_view text(StreamKernel kernel) {
  constexpr std::array<std::string_view, 4> words{"Copy", "Scale", "Add", "Triad"};
  return words[static_cast<std::size_t>(kernel)];
}

/// Bytes counted for one run of a kernel, without those that a cache fetches before a store.
[[nodiscard]] constexpr std::int64_t stream_byte(StreamKernel kernel, std::int64_t n) {
  return (kernel == StreamKernel::copy || kernel == StreamKernel::scale ? 16 : 24) * n;
}

/// Tick by which the rules of STREAM count how long a kernel takes: that of the clock, a microsecond at least.
[[nodiscard]] constexpr double stream_tick_s(double clock_tick_s) {
  return clock_tick_s > 1e-6 ? clock_tick_s : 1e-6;
}
/// Ticks that a kernel takes at least.
inline constexpr int stream_least_ticks = 20;

/// Trials of STREAM, of which the first does not count.
inline constexpr int stream_trials = 10;
/// Runs of a kernel with each way to store, before the trials; the best of them decides about the way.
inline constexpr int stream_tries = 2;
/// Elements of a vector with which these runs are made: those that twice the last-level cache in use holds.
[[nodiscard]] std::int64_t stream_tried(const PointSpec& spec, const Settings& settings);

/// The four loops of STREAM over n doubles; all pointers are multiples of 64 byte.
struct StreamLoops {
  void (*copy)(double* to, const double* from, std::size_t n) noexcept;
  void (*scale)(double* to, const double* from, double s, std::size_t n) noexcept;
  void (*add)(double* to, const double* x, const double* y, std::size_t n) noexcept;
  void (*triad)(double* to, const double* x, const double* y, double s, std::size_t n) noexcept;
};

/// Ways to store: in plain loops, compiled for the widest instruction set of the processor; past the caches;
/// past the caches in several pages at once.
enum class Stores { plain, streaming, interleaved };
inline constexpr std::array all_stores{Stores::plain, Stores::streaming, Stores::interleaved};
[[nodiscard]] std::string_view text(Stores stores);

/// Loops that store in this way; nullptr if this processor does not have it. Plain ones always exist.
[[nodiscard]] const StreamLoops* loops_with(Stores stores);

}  // namespace steelyard::hpcc
