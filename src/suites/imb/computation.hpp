// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

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

/// At least 5 * 10^7 floating-point operations for the rate, then one block of `target`. Each is timed three
/// times, of which the shortest counts: that is the undisturbed one. No communication.
[[nodiscard]] ComputedBlock calibrate(MatrixVector& kernel, Seconds target, const Now& now);
/// Another target at a rate that is known; at least one product. Timed in the same way.
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

}  // namespace steelyard::imb
