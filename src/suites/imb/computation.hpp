// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "suites/imb/matrix_vector.hpp"
#include "units/quantity.hpp"

/// What a processor does while a transfer goes on. Pure. Source: 001_04218b74f686a5f6.txt section 4.2.5.1.
namespace steelyard::imb {

/// Seconds since some start.
using Now = std::function<double()>;

/// A block of products that takes about as long as was wished, and how long it takes undisturbed.
struct ComputedBlock {
  double rate_flop_s = 0;
  std::uint64_t products = 1;
  double seconds = 0;
};

/// At least 5 * 10^7 floating-point operations for the rate, in short slices whose median counts: a process that takes
/// the processor spoils few of them. Then one block of `target`, timed three times, of which the shortest counts: that
/// is the undisturbed one. No communication.
[[nodiscard]] ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now);
/// Another target at a rate that is known; at least one product. Timed in the same way; a block that misses the target
/// is made anew once, by the rate that it has shown.
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

/// What the time saved is a share of: of the shorter of transfer and computation, of the longer, of the
/// transfer.
enum class OverlapOf { shorter, longer, transfer };

/// (t_pure + t_CPU - t_ovrl) over that time in percent, bounded to 0 .. 100; 0 where it is no time.
[[nodiscard]] double overlap_percent(double pure_s, double compute_s, double overlapped_s,
                                     OverlapOf of = OverlapOf::shorter);

/// What one rank has seen of operations with a computation beside them; seconds per operation.
struct OverlapFigures {
  double pure_s = 0;        // the operation alone
  double overlapped_s = 0;  // with the computation between start and wait
  double computing_s = 0;   // the computation, there
  double block_s = 0;       // the computation alone
  double product_s = 0;     // the least that can be computed

  static constexpr std::size_t count = 5;
  [[nodiscard]] std::vector<double> values() const {
    return {pure_s, overlapped_s, computing_s, block_s, product_s};
  }
  /// Of the rank whose numbers begin at `first`.
  [[nodiscard]] static OverlapFigures from(const double* first) {
    return {first[0], first[1], first[2], first[3], first[4]};
  }
};

/// Of values with how often each counts; 0 for none.
[[nodiscard]] double weighted_median(std::vector<std::pair<double, std::uint64_t>> values);

/// Gathers them over the trials and visits of a point. Pure.
class OverlapTimes {
 public:
  /// The next `operations` operations belong together and are compared with these times.
  void begin(std::uint64_t operations, double pure_s, double block_s, double product_s);
  /// More than was announced is warm-up and does not count.
  void add(std::uint64_t operations, double overlapped_s, double computing_s) noexcept;

  /// Of the last operations that belong together: a classic rule times once, after its trials.
  [[nodiscard]] OverlapFigures last() const;
  /// Medians over all of them, each as often as it has operations: a trial of few weighs little.
  [[nodiscard]] OverlapFigures median() const;

 private:
  struct Sample {
    std::uint64_t announced = 0, operations = 0;
    OverlapFigures sums;  // overlapped_s and computing_s of all its operations together
  };
  [[nodiscard]] static OverlapFigures per_operation(const Sample& sample);

  std::vector<Sample> samples_;
};

}  // namespace steelyard::imb
