// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace steelyard::imb {

/// What one rank has seen of operations with a computation beside them; seconds per operation.
struct OverlapFigures {
  double pure_s = 0;        // the operation alone
  double overlapped_s = 0;  // with the computation between start and wait
  double computing_s = 0;   // the computation, there
  double block_s = 0;       // the computation alone
  double product_s = 0;     // the least that can be computed
  double making_s = 0;      // of a persistent request
  double freeing_s = 0;

  static constexpr std::size_t count = 7;
  [[nodiscard]] std::vector<double> values() const {
    return {pure_s, overlapped_s, computing_s, block_s, product_s, making_s, freeing_s};
  }
  /// Of the rank whose numbers begin at `first`.
  [[nodiscard]] static OverlapFigures from(const double* first) {
    return {first[0], first[1], first[2], first[3], first[4], first[5], first[6]};
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
  /// What making a persistent request took, mean of its kind at this point, and what freeing it did.
  void set_request(double making_s, double freeing_s) noexcept;

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

  [[nodiscard]] OverlapFigures with_request(OverlapFigures figures) const;

  std::vector<Sample> samples_;
  double making_s_ = 0, freeing_s_ = 0;
};

}  // namespace steelyard::imb
