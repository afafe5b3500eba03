// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "suites/hpcc/stream/loops.hpp"

/// STREAM on one process: c <- a, b <- s c, c <- a + b, a <- b + s c over vectors of n doubles.
namespace steelyard::hpcc {

class Stream {
 public:
  static constexpr double factor = 0.42;
  static constexpr double tolerance = 1e-13;

  /// Makes the vectors a = 2, b = 2, c = 0, each part touched by the thread that works on
  /// it. Throws std::bad_alloc.
  explicit Stream(std::int64_t n, int threads = 1);

  /// Runs a kernel, with plain stores if the processor has no others.
  void run(StreamKernel kernel, Stores stores) noexcept;

  /// Compares the vectors with the same operations on scalars. `worst`: the largest mean deviation of a
  /// vector, relative to the value. `errors`: in vectors where that is above the tolerance, the
  /// elements that are off, at least 1.
  [[nodiscard]] measure::CheckResult verify() const;

  /// The fastest way to store, from the best of a few runs of each. Changes the vectors as any run does.
  [[nodiscard]] Stores fastest(StreamKernel kernel);

  [[nodiscard]] std::vector<NamedBuffer> buffers() const { return {{"a_b_c", memory_}}; }
  [[nodiscard]] double* vector(int which) const noexcept;

 private:
  void run_part(StreamKernel kernel, const StreamLoops& loops, const Share& part) noexcept;
  void run_on_scalars(StreamKernel kernel) noexcept;
  [[nodiscard]] Share part_of(int thread) const;

  std::int64_t n_;
  int threads_;
  machine::HugeMemory memory_;
  std::array<double, 3> expected_{2, 2, 0};
};

}  // namespace steelyard::hpcc
