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
  /// it. Trials are made with so many elements, of all threads together. Throws std::bad_alloc.
  explicit Stream(std::int64_t n, int threads = 1) : Stream(n, threads, n) {}
  Stream(std::int64_t n, int threads, std::int64_t tried);

  /// Runs a kernel, with plain stores if the processor has no others.
  void run(StreamKernel kernel, Stores stores) noexcept;

  /// Compares the vectors with the same operations on scalars. `worst`: the largest mean deviation of a
  /// vector, relative to the value. `errors`: in vectors where that is above the tolerance, the
  /// elements that are off, at least 1.
  [[nodiscard]] measure::CheckResult verify() const;

  /// The fastest way to store, from the best of a few runs of each over the elements for trials.
  [[nodiscard]] Stores fastest(StreamKernel kernel);

  [[nodiscard]] std::vector<NamedBuffer> buffers() const { return {{"a_b_c", memory_}}; }
  [[nodiscard]] double* vector(int which) const noexcept;

 private:
  /// Values of the elements of the three vectors, which are the same in all of a place.
  using Values = std::array<double, 3>;

  /// Runs a kernel over the elements for trials.
  void try_out(StreamKernel kernel, Stores stores) noexcept;
  [[nodiscard]] double best_of(StreamKernel kernel, Stores stores) noexcept;
  void run_part(StreamKernel kernel, const StreamLoops& loops, const Share& part) noexcept;
  static void run_on_scalars(StreamKernel kernel, Values& values) noexcept;
  [[nodiscard]] Share part_of(int thread) const;
  /// The elements for trials, at the front of a thread's part, and the others.
  [[nodiscard]] Share front_of(int thread) const;
  [[nodiscard]] Share back_of(int thread) const;

  std::int64_t n_, tried_;
  int threads_;
  machine::HugeMemory memory_;
  Values front_{2, 2, 0}, back_ = front_;  // as expected
};

}  // namespace steelyard::hpcc
