// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "units/quantity.hpp"

/// What a processor does while a transfer goes on. Pure. Source: 001_04218b74f686a5f6.txt section 4.2.5.1.
namespace steelyard::imb {

/// Products y += A x in single precision, A square.
class MatrixVector {
 public:
  explicit MatrixVector(int order);
  void multiply(std::uint64_t products) noexcept;
  [[nodiscard]] double operations_of_one() const;
  /// Of everything that was computed: whoever asks has made it necessary.
  [[nodiscard]] double sum() const;

 private:
  std::size_t order_;
  std::vector<float> matrix_, x_, y_;
};

/// Seconds since some start.
using Now = std::function<double()>;

/// A block of products that takes about as long as was wished, and how long it takes undisturbed.
struct ComputedBlock {
  double rate_flop_s = 0;
  std::uint64_t products = 1;
  double seconds = 0;
};

/// At least 5 * 10^7 floating-point operations for the rate, then one block of `target`. Each is timed three
/// times, of which the shortest counts: that is the undisturbed one. No communication.
[[nodiscard]] ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now);
/// Another target at a rate that is known; at least one product. Times it.
[[nodiscard]] ComputedBlock rescale(MatrixVector& kernel, const ComputedBlock& block, Seconds target,
                                    const Now& now);

/// What one process computes beside transfers in all blocks of a run, calibrated when it is first needed.
class Computation {
 public:
  /// The same order and target each time. No communication.
  void prepare(int order, Seconds target);
  [[nodiscard]] MatrixVector& kernel() { return *kernel_; }
  [[nodiscard]] const ComputedBlock& block() const { return block_; }  // rate 0 before it is prepared

 private:
  std::optional<MatrixVector> kernel_;
  ComputedBlock block_;
};

/// (t_pure + t_CPU - t_ovrl) / min(t_pure, t_CPU) in percent, bounded to 0 .. 100; 0 where one of them takes
/// no time.
[[nodiscard]] double overlap_percent(double pure_s, double compute_s, double overlapped_s);

}  // namespace steelyard::imb
