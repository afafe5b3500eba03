// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "suites/imb/matrix_vector.hpp"
#include "units/quantity.hpp"

/// Computation beside a transfer. Pure. Source: IMB 3.1 User's Guide, 4.2.5.1.
namespace steelyard::imb {

/// Seconds since some start.
using Now = std::function<double()>;

/// Block of products that takes about as long as was wished, and its undisturbed time.
struct ComputedBlock {
  double rate_flop_s = 0;
  std::uint64_t products = 1;
  double seconds = 0;
};

/// Finds the rate, then a block of `target`. For the rate: at least 5 * 10^7 floating-point operations, in
/// short slices whose median counts, because a process that takes the processor spoils few of them. The block
/// is timed twice, a third time where these are more than 1 % apart; the shortest counts: that is the
/// undisturbed one. No communication.
[[nodiscard]] ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now);
/// Makes a block for another target at a rate that is known, with at least one product. Timed in the same
/// way; a block that misses the target is made anew once, by the rate that it has shown.
[[nodiscard]] ComputedBlock rescale(MatrixVector& kernel, const ComputedBlock& block, Seconds target,
                                    const Now& now);

/// Computation of one process beside transfers in all blocks of a run, calibrated when it is first needed.
class Computation {
 public:
  /// Calibrates at the first call; order and target are the same each time. No communication.
  void prepare(int order, Seconds target);
  [[nodiscard]] MatrixVector& kernel() { return *kernel_; }
  [[nodiscard]] const ComputedBlock& block() const { return block_; }  // rate 0 before it is prepared

 private:
  std::optional<MatrixVector> kernel_;
  ComputedBlock block_;
};

/// Time that the time saved is a share of: the shorter one of transfer and computation, the longer
/// one, or the transfer.
enum class OverlapOf { shorter, longer, transfer };

/// Time saved, (t_pure + t_CPU - t_ovrl), over that time in percent, bounded to 0 .. 100; 0
/// if that time is 0.
[[nodiscard]] double overlap_percent(double pure_s, double compute_s, double overlapped_s,
                                     OverlapOf of = OverlapOf::shorter);

/// Figures of one rank for operations with a computation beside them; seconds per operation.
struct OverlapFigures {
  double pure_s = 0;        // the operation alone
  double overlapped_s = 0;  // with the computation between start and wait
  double computing_s = 0;   // the computation between start and wait
  double block_s = 0;       // the computation alone
  double product_s = 0;     // one product, the least that can be computed

  static constexpr std::size_t count = 5;
  [[nodiscard]] std::vector<double> values() const {
    return {pure_s, overlapped_s, computing_s, block_s, product_s};
  }
  /// Figures of the rank whose numbers begin at `first`.
  [[nodiscard]] static OverlapFigures from(const double* first) {
    return {first[0], first[1], first[2], first[3], first[4]};
  }
};

/// Median of values, each with how often it counts; 0 for none.
[[nodiscard]] double weighted_median(std::vector<std::pair<double, std::uint64_t>> values);

/// Figures of a point, gathered over its trials and visits. Pure.
class OverlapTimes {
 public:
  /// Begins `operations` operations that belong together and are compared with these times.
  void begin(std::uint64_t operations, double pure_s, double block_s, double product_s);
  /// Adds operations. More than was announced is warm-up and does not count.
  void add(std::uint64_t operations, double overlapped_s, double computing_s) noexcept;

  /// Figures of the last operations that belong together: a classic rule times once, after its trials.
  [[nodiscard]] OverlapFigures last() const {
    return samples_.empty() ? OverlapFigures{} : per_operation(samples_.back());
  }
  /// Medians over all that were begun, each weighted by its operations: a trial of few weighs little.
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
